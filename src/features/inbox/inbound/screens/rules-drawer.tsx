// Drawer of quarantine rules, with how much each dismissed.
import { Select, TextInput } from '@mantine/core';
import { useAct, usePages } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { DeleteButton } from '../../../../ui/kit/delete-button.tsx';
import { DetailDrawer } from '../../../../ui/kit/detail-drawer.tsx';
import { FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { many } from '../../../../ui/kit/numbers.ts';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { QuarantineRule } from '../quarantine-rules.contract.ts';
import { RULE_KINDS, type RuleKind } from '../quarantine/quarantine.rules.ts';
import classes from './quarantine.module.css';

const KIND: Record<RuleKind, string> = { address: 'Address', domain: 'Domain', list: 'Mailing list' };
const EXAMPLE: Record<RuleKind, string> = {
  address: 'news@example.com',
  domain: 'example.com',
  list: 'weekly.example.com',
};

export function RulesDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <DetailDrawer title="Quarantine rules" opened={opened} onClose={onClose} size={560}>
      {opened && <Rules />}
    </DetailDrawer>
  );
}

function Rules() {
  const pages = usePages('quarantine_rule_list', { limit: 200 });
  return (
    <>
      <p className={classes.note}>
        Matching email is dismissed automatically. Replies to your letters and unsubscribe requests still
        arrive.
      </p>
      <NewRule />
      {pages.error ? (
        <Trouble error={pages.error} again={pages.again} />
      ) : pages.pending ? (
        <Bones lines={3} />
      ) : pages.rows.length === 0 ? (
        <p className={classes.none}>No rules yet.</p>
      ) : (
        <ul className={classes.rules} aria-label="Rules">
          {pages.rows.map((rule) => (
            <Rule key={rule.id} rule={rule} />
          ))}
        </ul>
      )}
    </>
  );
}

function Rule({ rule }: { rule: QuarantineRule }) {
  const remove = useAct('quarantine_rule_delete', { says: 'Rule deleted' });
  return (
    <li>
      <span>
        {KIND[rule.kind]} <bdi>{rule.value}</bdi>
        <small>
          {many(rule.matched, 'email', 'emails')} dismissed
          {rule.last_matched_at !== null && (
            <>
              , last <Time at={rule.last_matched_at} />
            </>
          )}
        </small>
      </span>
      <DeleteButton
        title="Delete this rule?"
        says="New matching email goes to quarantine again. Email already dismissed stays dismissed."
        busy={remove.isPending}
        onDelete={() => remove.mutate({ rule: rule.id })}
      />
    </li>
  );
}

function NewRule() {
  const create = useAct('quarantine_rule_create', {
    quiet: true,
    says: ({ dismissed }) => `Rule created, ${many(dismissed, 'email', 'emails')} dismissed`,
  });
  const form = useActForm(
    { kind: 'domain' as RuleKind, value: '' },
    ({ kind, value }) => create.mutateAsync({ kind, value: value.trim() }),
    { clear: true },
  );
  return (
    <FormStack form={form} label="New rule">
      <Select
        label="Match"
        allowDeselect={false}
        data={RULE_KINDS.map((value) => ({ value, label: KIND[value] }))}
        value={form.values.kind}
        onChange={(kind) => form.set('kind', kind ?? 'domain')}
      />
      <TextInput
        label={KIND[form.values.kind]}
        placeholder={EXAMPLE[form.values.kind]}
        maxLength={320}
        autoComplete="off"
        {...form.text('value')}
      />
      <div>
        <ActButton
          type="submit"
          loading={create.isPending}
          closed={
            form.values.value.trim() === ''
              ? `Enter ${form.values.kind === 'address' ? 'an' : 'a'} ${KIND[form.values.kind].toLowerCase()}.`
              : null
          }
        >
          Create rule
        </ActButton>
      </div>
    </FormStack>
  );
}
