// Callers of the product: a fixed number of calls a second, every other one the board of a project and a search of an
// agent, sent when their time has come whether or not the ones before are answered. Gives how long each took, in ms.
import { Agent, request } from 'node:http';

export type Load = { url: string; token: string; ms: number; per_second: number };

const agent = new Agent({ keepAlive: true });

function call({ url, token }: Load, n: number): Promise<number> {
  const started = performance.now();
  const headers = { authorization: `Bearer ${token}` };
  const search = {
    name: 'work_search',
    arguments: { project: 'OUT', status: 'todo', limit: 10 },
  };
  const sent =
    n % 2 === 0
      ? request(new URL('/api/work/items?project=OUT&limit=20', url), { agent, headers })
      : request(url, {
          method: 'POST',
          agent,
          headers: {
            ...headers,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
        });
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.resume();
      response.on('end', () => resolve(performance.now() - started));
    });
    sent.end(
      n % 2 === 0
        ? undefined
        : JSON.stringify({ jsonrpc: '2.0', id: n, method: 'tools/call', params: search }),
    );
  });
}

process.on('message', async (load: Load) => {
  const started = performance.now();
  const calls: Promise<number>[] = [];
  const count = Math.floor((load.ms * load.per_second) / 1_000);
  for (let n = 0; n < count; n++) {
    const wait = started + (n * 1_000) / load.per_second - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    calls.push(call(load, n));
  }
  process.send?.(await Promise.all(calls));
});
process.on('disconnect', () => process.exit(0));
