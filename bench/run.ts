// `npm run bench`: what the product does in a second beside yardsticks that run in the same minutes on the same machine, and
// the table of ratios. A number without its yardstick says nothing: machines differ, ratios hold.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { besideTable, measureBeside } from './beside.ts';
import { callsTable, measureCalls, measuredOn } from './calls.ts';
import { costsTable, measureCosts } from './cost.ts';
import { deliveriesTable, measureDeliveries } from './deliveries.ts';
import { importsTable, measureImports } from './imports.ts';
import { lettersTable, measureLetters } from './letters.ts';
import { measureStarts, startTable } from './start.ts';

const RESULTS = join(import.meta.dirname, 'RESULTS.md');

/** The sections are written by hand, and stay as they are below the tables. */
const kept = readFileSync(RESULTS, 'utf8')
  .split(/^(?=## )/m)
  .slice(1)
  .join('');

const words = measuredOn();
const table = callsTable(await measureCalls());
const costs = costsTable(await measureCosts());
const starts = startTable(await measureStarts());
const deliveries = deliveriesTable(await measureDeliveries());
const beside = besideTable(await measureBeside());
const imports = importsTable(await measureImports());
const letters = lettersTable(await measureLetters());
console.log(
  `${words}\n\n${table}\n\n${costs}\n\n${deliveries}\n\n${beside}\n\n${imports}\n\n${letters}\n\n${starts}`,
);
if (!process.argv.includes('--no-write'))
  writeFileSync(
    RESULTS,
    `# Results\n\n\`npm run bench\` writes this; \`node bench/calls.ts\` measures the first table alone. The yardstick is the official SDK's stateless server with an echo tool: no token, no database, no gates. Ours has a token looked up at every call, policy, a real query or a real transaction with history, audit row and news, and PostgreSQL syncing to disk.\n\n${words}\n\n${table}\n\nProcessor time is of the server's process and of its PostgreSQL, the caller's left out; the floors are what node's own server and the driver cost on bare rows.\n\n${costs}\n\nDeliveries are beside a bare loop that signs and posts the same bodies to the same receiver and keeps no account of them.\n\n${deliveries}\n\nCalls (the list of items and \`work_search\`, 200 a second) in short turns with nothing going out and with fifty events queued four times a second, to receivers that behave badly.\n\n${beside}\n\nAn import is beside the COPY of the same rows into a bare table with the same unique index.\n\n${imports}\n\nLetters are chosen by identity, so that those that wait cost nothing; they are sent to a mail server on loopback beside a bare pool of connections that signs nothing and keeps no account.\n\n${letters}\n\nA start is timed from the call to the first answer of /healthz, with the compiled code of the start before, as \`npm start\`, the image and the unit keep it; memory is of all processes together, a page that several share counted once, 20 s after a start.\n\n${starts}\n\n${kept}`,
  );
