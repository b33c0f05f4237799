// Stands in for curl on a machine that has none: posts what -d holds, with the headers of -H, and fails as -f does.
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fail: { type: 'boolean', short: 'f' },
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
  },
});

const headers = Object.fromEntries((values.header ?? []).map((line) => line.split(': ')));
const answer = await fetch(positionals[0], { method: 'POST', headers, body: values.data });
if (answer.ok) process.stdout.write(await answer.text());
else process.exitCode = 22;
