#include "commands/doctor.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"

void doctor_site(struct findings *findings, const struct league *league)
{
    const struct config_site *site = &league->config.site;
    if (*site->url && !str_starts(site->url, "https://") && !str_starts(site->url, "http://"))
        findings_add(findings, FINDING_WARNING, "site",
                     "[site] url is \"%s\": feeds and previews of links need an address such as "
                     "https://orion.example.org/",
                     site->url);
    if (!*site->folder)
        return;
    if (!file_exists(site->folder))
        findings_add(findings, FINDING_WARNING, "site",
                     "the folder %s is not there; the next run makes it, if it may", site->folder);
    else if (access(site->folder, W_OK | X_OK) != 0)
        findings_add(
            findings, FINDING_FAILED, "site",
            "the folder %s cannot be written by this user: give it to them (chown), and where systemd "
            "runs the league add it to ReadWritePaths",
            site->folder);
    else
        findings_add(findings, FINDING_OK, "site", "the site is written to %s%s", site->folder,
                     site->awaited
                         ? ""
                         : "; its pages do not say who is still to answer, but anyone who reads the log "
                           "there can tell by the receipts");
}
