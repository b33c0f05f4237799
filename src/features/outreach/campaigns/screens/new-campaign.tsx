// A new campaign: its name and what it is for. Everything else has a safe default and is in its settings.
import { Modal, Textarea, TextInput } from '@mantine/core';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';

type NewCampaignProps = {
  opened: boolean;
  close: () => void;
  made: (campaign: { id: string }) => Promise<void>;
};

export function NewCampaign({ opened, close, made }: NewCampaignProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal opened={opened} onClose={close} title="New campaign" size={480} closeOnEscape={topmost}>
      <NewForm close={close} made={made} />
    </Modal>
  );
}

const onlyOne = <T,>(all: readonly T[] = []): T | null => (all.length === 1 ? (all[0] ?? null) : null);

function NewForm({ close, made }: Omit<NewCampaignProps, 'opened'>) {
  const create = useAct('campaign_create', {
    quiet: true,
    says: ({ campaign }) => `${campaign.name} created as a draft. No letters go out until you activate it.`,
  });
  const pool = useAct('campaign_pool', { quiet: true });
  // Where there is one of each, there is nothing to choose.
  const address = onlyOne(useRead('postal_address_list', { limit: 2 }).data?.items);
  const sender = onlyOne(useRead('identity_list', { limit: 200 }).data?.items.filter(({ active }) => active));
  const form = useActForm({ name: '', goal: '' }, async ({ name, goal }) => {
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const { campaign } = await create.mutateAsync({
      name,
      ...(goal.trim() && { goal }),
      timezone,
      ...(address && { postal_address_id: address.id }),
    });
    // Whoever may not choose it leaves it to someone else.
    if (sender)
      await pool
        .mutateAsync({
          campaign: campaign.id,
          revision: campaign.revision,
          seen: campaign.seen,
          identity_pool: [{ identity_id: sender.id, weight: 1 }],
        })
        .catch(() => null);
    await made(campaign);
  });
  return (
    <FormStack form={form} label="New campaign">
      <TextInput
        label="Name"
        data-autofocus
        maxLength={200}
        placeholder="Spring outreach"
        {...form.text('name')}
      />
      <Textarea
        label="Goal"
        description="For your team. Not shown in letters."
        rows={2}
        maxLength={500}
        {...form.text('goal')}
      />
      <FormEnd form={form} act="Create draft" cancel={close} />
    </FormStack>
  );
}
