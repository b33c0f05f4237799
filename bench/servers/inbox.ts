// The product whole, with as many people as are asked for, half as many threads, and a token without scopes.
import { seedApp } from '../../test/agent/seed.ts';
import { openBenchProduct } from '../product.ts';

const product = await openBenchProduct(false);
await seedApp(product.sql, Number(process.argv[2]), { withLetters: false });
process.send?.({
  url: product.instance.address,
  user: product.user,
  token: product.token,
  database: product.database,
});

process.on('disconnect', async () => {
  await product.close();
  process.exit(0);
});
