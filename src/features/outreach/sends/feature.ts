import type { Feature } from '../../../kernel/app.ts';
import { againHandlers } from './again.handlers.ts';
import type { OnSent } from './letter/on-sent.ts';
import { exportLetters } from './export.handlers.ts';
import { letterHandlers } from './handlers.ts';
import { moveHandlers } from './moves.handlers.ts';
import { writeLetter } from './one-off.handlers.ts';
import { recheckPass } from './gates/recheck.ts';
import { rerenderPass } from './draft/remake.pass.ts';
import { suppressedPass } from './gates/suppressed.pass.ts';
import { letterTools } from './tools.ts';

export const sends = (on_sent: OnSent): Feature => ({
  name: 'sends',
  operations: [...letterHandlers, ...moveHandlers, ...againHandlers(on_sent), writeLetter, exportLetters],
  tools: letterTools,
  passes: [recheckPass, rerenderPass, suppressedPass],
  resources: [
    {
      uri: 'service://sends/held',
      name: 'Held letters',
      says: 'Letters stopped by a gate, with the reason each was held.',
      operation: 'send_list',
      arguments: { state: 'held' },
    },
  ],
});
