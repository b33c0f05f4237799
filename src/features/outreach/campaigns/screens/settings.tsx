// A campaign’s settings in three parts that are saved separately: general settings, who reviews the letters, and who sends them.
import { Button, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { Refused, useActForm } from '../../../../ui/kit/form.tsx';
import { Section } from '../../../../ui/kit/page.tsx';
import type { Campaign } from '../contract.ts';
import { GuardrailFields } from './guardrail-fields.tsx';
import { PoolSection } from './pool.tsx';
import { carried, type OwnSaves, useOwnSaves } from './own-saves.ts';
import { PostalAddressField } from './postal-address-field.tsx';
import { ReviewSection } from './review-policy.tsx';
import { type TabProps, useTabGuard } from './tab.ts';
import { WindowFields } from './window-fields.tsx';
import classes from './settings.module.css';

const KEYS = [
  'name',
  'goal',
  'timezone',
  'windows',
  'blackout_dates',
  'starts_on',
  'ends_on',
  'daily_cap',
  'new_per_day',
  'stop_on_reply',
  'open_deal_on_positive',
  'exclusive',
  'max_touches_per_week_per_person',
  'postal_address_id',
  'require_basis',
  'verification_policy',
  'unsubscribe_mode',
  'guardrails',
] as const;
export type CampaignForm = Pick<Campaign, (typeof KEYS)[number]>;

const settingsOf = (campaign: Campaign): CampaignForm =>
  Object.fromEntries(KEYS.map((key) => [key, campaign[key]])) as CampaignForm;

const VERIFICATION = [
  { value: 'any', label: 'All addresses' },
  { value: 'not_undeliverable', label: 'Skip addresses known to be undeliverable' },
  { value: 'deliverable_only', label: 'Only addresses known to be deliverable' },
];
const UNSUBSCRIBE = [
  { value: 'one_click', label: 'One-click link in each letter' },
  { value: 'reply_only', label: 'Reply only, no link' },
];

const zones = Intl.supportedValuesOf('timeZone');
const number = (value: string | number): number | null => (value === '' ? null : Number(value));

export function SettingsTab({ campaign }: TabProps) {
  // What was read stays what one writes on until it is saved or left; a save begins again on what it left.
  const [base, setBase] = useState({ round: 0, read: campaign });
  const saves = useOwnSaves();
  const { review_policy, review_sample, no_human_review } = campaign;
  return (
    <div className={classes.settings}>
      <fieldset disabled={campaign.state === 'archived'} className={classes.set}>
        {/* Each starts again only when its own values change: what is chosen in one isn't lost to a save of another. */}
        <PoolSection
          key={`pool${JSON.stringify(campaign.identity_pool)}`}
          campaign={campaign}
          saves={saves}
        />
        <ReviewSection
          key={`review${JSON.stringify([review_policy, review_sample, no_human_review])}`}
          campaign={campaign}
          saves={saves}
        />
        <Form
          key={base.round}
          read={base.read}
          now={campaign}
          saves={saves}
          anew={(read) => setBase(({ round }) => ({ round: round + 1, read }))}
          keep={() => {
            const { revision, seen, sequence_revision } = campaign;
            setBase({ ...base, read: { ...base.read, revision, seen, sequence_revision } });
          }}
        />
      </fieldset>
    </div>
  );
}

type FormProps = {
  read: Campaign;
  /** As it is by now: someone else may have changed it. */
  now: Campaign;
  saves: OwnSaves;
  anew: (read: Campaign) => void;
  /** Goes on with what was typed, over what someone else changed. */
  keep: () => void;
};

function Form({ read, now, saves, anew, keep }: FormProps) {
  const save = useAct('campaign_update', { quiet: true, says: 'Settings saved' });
  const before = settingsOf(read);
  const form = useActForm(before, async (values) => {
    const changed = KEYS.filter((key) => JSON.stringify(values[key]) !== JSON.stringify(before[key]));
    const change = Object.fromEntries(changed.map((key) => [key, values[key]]));
    const at = carried(read, saves.made);
    const answer = await save.mutateAsync({ campaign: read.id, revision: at.revision, ...change });
    saves.add(at, answer.campaign);
    anew(answer.campaign);
  });
  const { values, set, errors } = form;
  const dirty = JSON.stringify(values) !== JSON.stringify(before);
  const moved = now.revision > read.revision;
  // The pool, the review policy and the state have a part or a button of their own, and are not written here.
  const elsewhere = moved && JSON.stringify(settingsOf(now)) !== JSON.stringify(before);
  useTabGuard(dirty);
  useEffect(() => {
    // Nothing typed is at stake: what was saved elsewhere is simply shown.
    if (elsewhere && !dirty) anew(now);
    if (moved && !elsewhere) keep();
  });
  const flag = (key: 'stop_on_reply' | 'exclusive' | 'require_basis' | 'open_deal_on_positive') => ({
    checked: values[key],
    onChange: (event: { currentTarget: { checked: boolean } }) => set(key, event.currentTarget.checked),
  });
  return (
    <form aria-label="Settings" onSubmit={form.onSubmit} noValidate>
      <Section title="About">
        <div className={classes.stack}>
          <TextInput label="Name" maxLength={200} {...form.text('name')} />
          <Textarea
            label="Goal"
            rows={2}
            maxLength={500}
            value={values.goal ?? ''}
            error={errors.goal}
            onChange={(event) => set('goal', event.currentTarget.value || null)}
          />
        </div>
      </Section>
      <Section
        title="Hours"
        says="Letters are sent during these hours in the recipient’s time zone, or the campaign’s if theirs isn’t known."
      >
        <div className={classes.stack}>
          <Select
            label="Campaign time zone"
            searchable
            allowDeselect={false}
            limit={60}
            data={zones.includes(values.timezone) ? zones : [values.timezone, ...zones]}
            value={values.timezone}
            error={errors.timezone}
            onChange={(zone) => zone && set('timezone', zone)}
          />
          <WindowFields
            windows={values.windows}
            error={errors.windows}
            change={(next) => set('windows', next)}
          />
          <TagsInput
            label="Days without sending"
            description="Enter dates such as 2026-12-24. Press Enter after each one."
            placeholder={values.blackout_dates.length === 0 ? '2026-12-24' : ''}
            value={values.blackout_dates}
            error={errors.blackout_dates}
            onChange={(dates) => set('blackout_dates', dates)}
          />
          <div className={classes.two}>
            {(['starts_on', 'ends_on'] as const).map((key) => (
              <TextInput
                key={key}
                type="date"
                label={key === 'starts_on' ? 'First day' : 'Last day'}
                value={values[key] ?? ''}
                error={errors[key]}
                onChange={(event) => set(key, event.currentTarget.value || null)}
              />
            ))}
          </div>
        </div>
      </Section>
      <Section title="Volume" says="These limits apply in addition to those of each identity and domain.">
        <div className={classes.three}>
          {(['daily_cap', 'new_per_day'] as const).map((key) => (
            <NumberInput
              key={key}
              label={key === 'daily_cap' ? 'Letters per day' : 'New people per day'}
              placeholder="No cap"
              min={0}
              max={100_000}
              value={values[key] ?? ''}
              error={errors[key]}
              onChange={(value) => set(key, number(value))}
            />
          ))}
          <NumberInput
            label="Letters per person per week"
            min={1}
            max={50}
            value={values.max_touches_per_week_per_person}
            error={errors.max_touches_per_week_per_person}
            onChange={(value) => set('max_touches_per_week_per_person', number(value) ?? 1)}
          />
        </div>
      </Section>
      <Section
        title="Recipients"
        says="Letters that break one of these rules are held, and the reason is shown."
      >
        <div className={classes.stack}>
          <Switch label="Stop when someone replies" {...flag('stop_on_reply')} />
          <Switch
            label="Skip people in another exclusive campaign"
            description="Only one exclusive campaign contacts a person at a time."
            {...flag('exclusive')}
          />
          <Switch
            label="Only people with a known legal basis"
            description="Their record must state a legal basis for contacting them."
            {...flag('require_basis')}
          />
          <Switch label="Open a deal on a positive reply" {...flag('open_deal_on_positive')} />
          <Select
            label="Address verification"
            allowDeselect={false}
            data={VERIFICATION}
            value={values.verification_policy}
            onChange={(value) =>
              value && set('verification_policy', value as CampaignForm['verification_policy'])
            }
          />
          <Select
            label="Unsubscribe method"
            allowDeselect={false}
            data={UNSUBSCRIBE}
            value={values.unsubscribe_mode}
            onChange={(value) => value && set('unsubscribe_mode', value as CampaignForm['unsubscribe_mode'])}
          />
          <PostalAddressField
            value={values.postal_address_id}
            error={errors.postal_address_id}
            choose={(id) => set('postal_address_id', id)}
          />
        </div>
      </Section>
      <GuardrailFields
        guardrails={values.guardrails}
        error={errors.guardrails}
        change={(next) => set('guardrails', next)}
      />
      {(dirty || form.trouble) && (
        <div className={classes.bar} role="region" aria-label="Changes">
          <Refused error={form.trouble} />
          <div className={classes.end}>
            <span role="status">
              {elsewhere
                ? 'Someone else changed this campaign. Save your changes over theirs, or discard yours.'
                : 'Unsaved changes.'}
            </span>
            <Button variant="default" onClick={() => anew(elsewhere ? now : read)}>
              Discard
            </Button>
            {elsewhere ? (
              <Button onClick={keep}>Keep mine</Button>
            ) : (
              <Button type="submit" loading={form.busy}>
                Save settings
              </Button>
            )}
          </div>
        </div>
      )}
    </form>
  );
}
