// What fourteen everyday jobs cost an agent in calls and in tokens that it reads and writes, on a laid app of 5,000 people, 25,000
// touches and 50,000 letters. Alone: `node bench/jobs.ts`, which prints the table; test/agent holds the numbers.
import { doJobs, FAIR, jobsTable } from '../test/agent/jobs.ts';
import { metered } from '../test/agent/meter.ts';
import { seedApp } from '../test/agent/seed.ts';
import { openBenchProduct } from './product.ts';

const PEOPLE = Number(process.env['BENCH_PEOPLE'] ?? 5_000);

const product = await openBenchProduct(false);
try {
  await seedApp(product.sql, PEOPLE);
  const told = { person: 'p2@firm0.example', leaver: 'p7@firm0.example', file: FAIR, colleague: 'Bench' };
  const agent = () => metered(product.instance.address, product.token);
  console.log(jobsTable(await doJobs(agent, told)));
} finally {
  await product.close();
}
