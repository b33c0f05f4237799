// The product whole, with a board of 1,000 items and a token without scopes.
import { openBenchProduct } from '../product.ts';

const ITEMS = 1_000;
const product = await openBenchProduct(true);
export const { instance } = product;

await product.post('/api/work/projects', { key: 'OUT', name: 'Outreach' });
const items: string[] = [];
for (let i = 0; i < ITEMS; i++) {
  const card = { project: 'OUT', title: `Write to customer ${i}`, status: 'todo' };
  items.push((await product.post('/api/work/items', card)).item.id);
}
// As it is a minute later on a running instance, when the server has looked at what was written.
await instance.pools.writer`analyze`;
process.send?.({
  url: `${instance.address}/mcp`,
  token: product.token,
  items,
  cookie: product.cookie,
  database: product.database,
});

process.on('disconnect', async () => {
  await product.close();
  process.exit(0);
});
