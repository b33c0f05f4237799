// The process that is killed: an instance whole, whose own pass sends what is due.
import { openChild } from '../support/child.ts';
import type { ChildOrders } from './crash.ts';

const { name = 'crash' } = JSON.parse(process.argv[2] ?? '{}') as ChildOrders;
const { orders, instance } = await openChild<ChildOrders>({
  name,
  baseUrl: 'https://desk.example',
  allowHosts: '127.0.0.1',
  events: true,
});
process.send?.('open');
if (orders.untilIdle) {
  // Once more after the pass that began on its own: what it found leased may be free by now.
  await instance.jobs.run('letters');
  await instance.jobs.run('letters');
  process.send?.('idle');
}
