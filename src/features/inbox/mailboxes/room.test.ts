// Mail on its way takes no more memory than there is room for, and everyone gets in.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRoom } from './room.ts';

test('whatever comes at once, no more is in than there is room for, in order, and all get in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 30 }), async (mails) => {
      const room = openRoom(100);
      const entered: number[] = [];
      let inside = 0;
      await Promise.all(
        mails.map(async (bytes, at) => {
          const leave = await room.take(bytes);
          inside += Math.min(bytes, 100);
          entered.push(at);
          expect(inside).toBeLessThanOrEqual(100);
          await new Promise((resolve) => setImmediate(resolve));
          inside -= Math.min(bytes, 100);
          leave();
        }),
      );
      expect(entered).toEqual(mails.map((_, at) => at));
    }),
  );
});
