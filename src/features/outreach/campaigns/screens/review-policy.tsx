// Who reads a letter before it goes. That no one does is said out loud first, with what it means and for which steps.
import { many } from '../../../../ui/kit/numbers.ts';
import { Button, NumberInput, Radio } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../../../ui/client/call.ts';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import { Section } from '../../../../ui/kit/page.tsx';
import type { Campaign, ReviewPolicy } from '../contract.ts';
import { type OwnSaves, useReadOf } from './own-saves.ts';
import { useTabGuard } from './tab.ts';
import { REVIEW } from './words.ts';
import classes from './settings.module.css';

export function ReviewSection({ campaign, saves }: { campaign: Campaign; saves: OwnSaves }) {
  const [policy, setPolicy] = useState<ReviewPolicy>(campaign.review_policy);
  const [sample, setSample] = useState(campaign.review_sample);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const steps = useRead('sequence_read', { campaign: campaign.id }).data?.sequence;
  const unread = useAct('campaign_no_human_review', { quiet: true });
  const save = useAct('campaign_review_policy', {
    quiet: true,
    says: ({ campaign: now }) => `Review policy set: ${REVIEW[now.review_policy].title.toLowerCase()}`,
  });
  const { no_human_review } = campaign;
  const confirmed = no_human_review !== null && !no_human_review.stale;
  const dirty =
    policy !== campaign.review_policy || (policy === 'sample' && sample !== campaign.review_sample);
  const again = policy === 'none' && campaign.review_policy === 'none' && !confirmed;
  useTabGuard(dirty);
  const read = useReadOf(campaign, dirty, saves);

  const letters = steps?.steps.filter(({ kind }) => kind === 'letter').length ?? 0;
  const submit = async (): Promise<void> => {
    setRefused(null);
    try {
      let at: Pick<Campaign, 'revision' | 'seen' | 'sequence_revision'> = read;
      let { revision, seen } = read;
      const { sequence_revision } = read;
      if (policy === 'none' && !confirmed) {
        const says = `${many(letters, 'letter')} in revision ${sequence_revision} of the steps would go to ${many(campaign.counts.people, 'person', 'people')} without review. A wrong name, a broken field or an unintended promise would reach all of them. This can’t be undone. If the steps change, you’ll have to confirm again.`;
        const yes = await confirm({
          title: 'Send letters without review?',
          says,
          act: 'Send without review',
          tone: 'bad',
        });
        if (!yes) return;
        const answer = await unread.mutateAsync({
          campaign: campaign.id,
          confirmed: true,
          sequence_revision,
          seen,
        });
        ({ revision, seen } = answer.campaign);
        saves.add(at, answer.campaign);
        at = answer.campaign;
      }
      if (dirty) {
        const { campaign: now } = await save.mutateAsync({
          campaign: campaign.id,
          revision,
          seen,
          review_policy: policy,
          ...(policy === 'sample' && { review_sample: sample }),
        });
        saves.add(at, now);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 'given_up') setRefused(error);
    }
  };

  return (
    <Section title="Review policy" says="Only a person with the wire permission can change this.">
      <div className={classes.stack}>
        <Radio.Group
          aria-label="Letters to review"
          value={policy}
          onChange={(next) => setPolicy(next as ReviewPolicy)}
        >
          <div className={classes.radios}>
            {(Object.keys(REVIEW) as ReviewPolicy[]).map((key) => (
              <Radio key={key} value={key} label={REVIEW[key].title} description={REVIEW[key].says} />
            ))}
          </div>
        </Radio.Group>
        {policy === 'sample' && (
          <NumberInput
            label="Percentage to review"
            w={180}
            min={0}
            max={100}
            suffix=" %"
            value={sample}
            onChange={(value) => setSample(Number(value) || 0)}
          />
        )}
        {policy === 'none' && no_human_review && (
          <p className={confirmed ? classes.says : classes.warn}>
            {confirmed
              ? `Confirmed by ${no_human_review.confirmed_by.name} for revision ${no_human_review.sequence_revision} of the steps.`
              : `${no_human_review.confirmed_by.name} confirmed revision ${no_human_review.sequence_revision} of the steps. They have changed since, so every letter is held until someone confirms the current steps.`}
          </p>
        )}
        <Refused error={refused} />
        {(dirty || again) && (
          <div className={classes.end}>
            {dirty && (
              <Button variant="default" onClick={() => setPolicy(campaign.review_policy)}>
                Discard
              </Button>
            )}
            <Button loading={save.isPending || unread.isPending} onClick={() => void submit()}>
              {policy === 'none' ? 'Confirm…' : 'Set review policy'}
            </Button>
          </div>
        )}
      </div>
    </Section>
  );
}
