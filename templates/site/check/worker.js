// Runs the checks beside the page, so that it stays usable. In: {journal, key, wasm}, bytes or null. Out: {step, passed}
// as it goes on; {check}, {rules} or {rulesFailed} when one of the two is done; {failed}: a fault of ours.
import { checkGame } from "./check.js";
import { loadRules } from "./rules.js";

/** At most ten times a second. */
function teller(step) {
  let last = 0;
  return (passed) => {
    if (performance.now() - last < 100) return;
    last = performance.now();
    postMessage({ step, passed });
  };
}

async function play({ journal, key, wasm }) {
  if (!wasm) return;
  try {
    postMessage({ step: "rules", passed: 0 });
    const rules = await loadRules(wasm);
    postMessage({ rules: rules.audit(journal, key, teller("rules")) });
  } catch (error) {
    postMessage({ rulesFailed: String(error.message) });
  }
}

addEventListener("message", async ({ data }) => {
  try {
    postMessage({ step: "check", passed: 0 });
    postMessage({ check: checkGame(data.journal, { leagueKey: data.key, passed: teller("check") }) });
    await play(data);
    postMessage({ done: true });
  } catch (error) {
    postMessage({ failed: String(error.message) });
  }
});
