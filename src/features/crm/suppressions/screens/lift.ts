// Lifting a suppression from a screen: the question names the harm, the answer what still exists.
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import type { Suppression } from '../contract.ts';
import { named, REASON, whoMayLift } from './words.ts';

type Liftable = Pick<Suppression, 'id' | 'value' | 'kind' | 'reason'>;

export function useLift(lifted?: () => void): { ask: (row: Liftable) => Promise<void>; busy: boolean } {
  const lift = useAct('suppression_lift', {
    says: ({ suppression, still }) =>
      still.length === 0
        ? `${named(suppression)} can receive letters again.`
        : `Lifted, but ${named(suppression)} is still suppressed: ${still.map((one) => REASON[one.reason].title.toLowerCase()).join(', ')}.`,
    ...(lifted ? { onSuccess: lifted } : {}),
  });
  return {
    busy: lift.isPending,
    ask: async (row) => {
      const yes = await confirm({
        title: `Lift “${REASON[row.reason].title}” from ${named(row)}?`,
        says: `${REASON[row.reason].harm}${row.kind === 'domain' ? ' It applies to all addresses at the domain.' : ''} The record is kept, with your name. ${whoMayLift(row.reason)}`,
        act: 'Lift suppression',
        tone: 'bad',
      });
      if (yes) lift.mutate({ suppression: row.id });
    },
  };
}
