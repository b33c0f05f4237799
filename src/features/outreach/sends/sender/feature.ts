// What the sender gives to the app: the pass that sends letters. No operation starts one on its own.
import type { Feature } from '../../../../kernel/app.ts';
import { openVendor } from '../../vendors/way.ts';
import type { OnSent } from '../letter/on-sent.ts';
import { lettersPass } from './pass.ts';

export const letters = (on_sent: OnSent): Feature => ({
  name: 'letters',
  operations: [],
  passes: [lettersPass(openVendor, on_sent)],
});
