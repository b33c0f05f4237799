// Explain: what policy decides for a user or a token, an action and a thing, and the statement that decides it.
import { Autocomplete, NativeSelect, Select, TextInput } from '@mantine/core';
import { CircleCheck, CircleSlash } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../../../ui/client/call.ts';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { useUserChoices } from '../../../../ui/kit/choices.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { OpenTo } from '../../../../ui/kit/open-to.tsx';
import { Page, Section } from '../../../../ui/kit/page.tsx';
import { StatementText } from './statement-fields.tsx';
import { ACTIONS } from './statements.ts';
import classes from './policies.module.css';

type Verdict = Answer<'policy_explain'>;

const BY: Record<Verdict['by'], string> = {
  admin: 'Administrators can do everything that policies cover.',
  allow: 'This statement allows the action, and nothing denies it.',
  propose: 'This statement lets the action be proposed. A person signs it.',
  deny: 'This statement denies the action. A deny always wins.',
  default: 'No statement allows this, so it’s denied.',
};

export function ExplainScreen() {
  const users = useUserChoices();
  const tokens = (useRead('token_list', { limit: 200 }).data?.items ?? []).map((token) => ({
    value: token.id,
    label: token.name,
  }));
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const explain = useAct('policy_explain', { quiet: true, onSuccess: setVerdict });
  const form = useActForm(
    { kind: 'user' as 'user' | 'token', principal: null as string | null, action: '', resource: '' },
    (values) =>
      explain.mutateAsync({
        principal: { kind: values.kind, id: values.principal ?? '' },
        action: values.action.trim(),
        ...(values.resource.trim() ? { resource: values.resource.trim() } : {}),
      }),
  );
  const { values, set, errors } = form;
  const change: typeof set = (name, value) => {
    setVerdict(null);
    set(name, value);
  };
  return (
    <Page
      crumbs={[{ title: 'Settings' }, { title: 'Policies', to: '/settings/policies' }, { title: 'Explain' }]}
      width="reading"
    >
      <OpenTo action="admin.policy.read">
        <Section title="Check access" says="Find out whether a user or token can perform an action, and why.">
          <FormStack form={form} label="Explain a decision">
            <div className={classes.form}>
              <NativeSelect
                label="Kind"
                value={values.kind}
                onChange={(event) => {
                  change('kind', event.currentTarget.value === 'token' ? 'token' : 'user');
                  set('principal', null);
                }}
                data={[
                  { value: 'user', label: 'User' },
                  { value: 'token', label: 'Token' },
                ]}
              />
              <Select
                key={values.kind}
                label={values.kind === 'user' ? 'User' : 'Token'}
                searchable
                data={values.kind === 'user' ? users : tokens}
                value={values.principal}
                onChange={(id) => change('principal', id)}
                error={errors.principal}
              />
            </div>
            <Autocomplete
              label="Action"
              placeholder="work.item.move"
              data={ACTIONS.filter((action) => !action.includes('*'))}
              value={values.action}
              onChange={(action) => change('action', action)}
              error={errors.action}
            />
            <TextInput
              label="Resource"
              description="Leave empty for all resources."
              placeholder="work:project/OUT"
              value={values.resource}
              onChange={(event) => change('resource', event.currentTarget.value)}
              error={errors.resource}
            />
            <FormEnd form={form} act="Explain" />
          </FormStack>
        </Section>
        {verdict && (
          <Section title="Result">
            <div className={classes.verdict} data-allowed={verdict.allowed || undefined} role="status">
              {verdict.allowed ? (
                <CircleCheck size={20} aria-hidden />
              ) : (
                <CircleSlash size={20} aria-hidden />
              )}
              <div>
                <h3>{verdict.allowed ? 'Allowed by policy' : 'Denied'}</h3>
                <p>{verdict.sentence}</p>
              </div>
            </div>
            <div className={classes.by}>
              <p className={classes.order} style={{ marginBottom: 8 }}>
                {BY[verdict.by]}
                {verdict.policy && (
                  <>
                    {' '}
                    Policy <code>{verdict.policy}</code>.
                  </>
                )}
              </p>
              {verdict.statement && <StatementText statement={verdict.statement} />}
            </div>
          </Section>
        )}
      </OpenTo>
    </Page>
  );
}
