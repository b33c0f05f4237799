// Claiming as a person does it: take what is free, give back what is one's own, and break another worker's claim only after
// being asked.
import { ApiError } from '../../../../../ui/client/call.ts';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { useMe } from '../../../../../ui/client/session.ts';
import { tellRefusal } from '../../../../../ui/client/toast.ts';
import { confirm } from '../../../../../ui/kit/confirm.ts';
import type { Card } from '../../contract.ts';
import { liveClaim, ruleClaim, type Claiming, type Worker } from '../../rules.ts';

type Claimable = Pick<Card, 'id' | 'key' | 'status' | 'claim'>;

export function useClaim(touch?: (id: string) => void) {
  const me = useMe();
  const by: Worker = { kind: me.principal.kind, id: me.principal.id, agent: me.agent };
  const claim = useAct('item_claim', { says: ({ item }) => `${item.key} claimed for 30 minutes.` });
  const release = useAct('item_release', { says: ({ item }) => `${item.key} released.` });

  const rule = (item: Claimable): Claiming => ruleClaim(item, by, new Date(), false);

  const toggle = async (item: Claimable): Promise<void> => {
    const ruling = rule(item);
    const held = liveClaim(item, new Date());
    touch?.(item.id);
    if (ruling.kind === 'renews') return release.mutate({ item_id: item.id });
    if (ruling.kind === 'takes') return claim.mutate({ item_id: item.id });
    if (ruling.kind !== 'refused') return;
    if (!held) return tellRefusal(new ApiError(409, 'conflict', ruling.refusal.sentence));
    const yes = await confirm({
      title: `Take over ${item.key} from ${held.holder.name}?`,
      says: `${held.holder.name} has claimed it and may be working on it. If you take over, their next change is refused.`,
      act: 'Take over',
      tone: 'bad',
    });
    if (yes) claim.mutate({ item_id: item.id, break: true });
  };
  return { rule, toggle, release, busy: claim.isPending || release.isPending };
}
