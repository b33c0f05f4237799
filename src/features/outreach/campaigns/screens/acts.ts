// What can be done with a campaign from the list and from its own page, with the questions that are asked before.
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { many } from '../../../../ui/kit/numbers.ts';
import type { ListedCampaign } from '../contract.ts';

type Named = Pick<ListedCampaign, 'id' | 'name' | 'counts'>;
export type Acts = {
  clone: (campaign: Named) => void;
  pause: (campaign: Named) => void;
  archive: (campaign: Named) => Promise<void>;
  remove: (campaign: Named) => Promise<void>;
};

export function useCampaignActs({
  made,
  gone,
}: {
  made: (campaign: { id: string }) => void;
  gone?: () => void;
}): Acts {
  const clone = useAct('campaign_clone', {
    says: ({ campaign }) => `${campaign.name} created as a draft with the same steps and no people`,
    onSuccess: ({ campaign }) => made(campaign),
  });
  const pause = useAct('campaign_pause', { says: 'Campaign paused. No more letters go out.' });
  const archive = useAct('campaign_archive', { says: 'Campaign archived. You can still read and clone it.' });
  const remove = useAct('campaign_delete', { says: 'Draft deleted', onSuccess: () => gone?.() });
  return {
    clone: ({ id }) => clone.mutate({ campaign: id }),
    pause: ({ id }) => pause.mutate({ campaign: id }),
    archive: async ({ id, name, counts }) => {
      const waiting = counts.drafted + counts.review + counts.scheduled + counts.held;
      const says =
        waiting > 0
          ? `${many(waiting, 'waiting letter')} will be canceled. No one in this campaign gets another letter, and the campaign becomes read-only. This can’t be undone.`
          : 'No one in this campaign gets another letter, and the campaign becomes read-only. This can’t be undone.';
      if (await confirm({ title: `Archive ${name}?`, says, act: 'Archive', tone: 'bad' }))
        archive.mutate({ campaign: id });
    },
    remove: async ({ id, name }) => {
      const says =
        'The draft’s steps and settings are deleted. No one was enrolled, so no letters are lost. This can’t be undone.';
      if (await confirm({ title: `Delete ${name}?`, says, act: 'Delete', tone: 'bad' }))
        remove.mutate({ campaign: id });
    },
  };
}
