// The handler of Today: its parts one after the other, without those that the caller may not read.
import { bind } from '../../../kernel/scene.ts';
import { brokenOf } from './broken.ts';
import { todayGet } from './contract.ts';
import { needsOf } from './needs.ts';
import { waitsOf } from './waits.ts';

export const today = bind(todayGet, async (scene) => {
  const parts = await Promise.all([needsOf(scene), brokenOf(scene), waitsOf(scene)]);
  return {
    as_of: scene.now.toISOString(),
    user_id: scene.caller.user_id,
    sections: parts.flat().filter((section) => section !== null),
  };
});
