/* The most seats of a table: those that rules have (SEATS_MAX of rules/ruleset.h). */
#ifndef COMPETE_SEATS_H
#define COMPETE_SEATS_H

#define COMPETE_SEATS 8

#endif
