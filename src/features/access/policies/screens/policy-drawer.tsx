// One policy, or a new one: its statements as fields or as JSON. Built-in policies can only be read.
import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../../../ui/client/call.ts';
import { useAct } from '../../../../ui/client/hooks.ts';
import { CodeBlock } from '../../../../ui/kit/code-block.tsx';
import { RecordDrawer, RemoveButton } from '../../../../ui/kit/record-drawer.tsx';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import type { PolicyRow } from '../contract.ts';
import { StatementFields, StatementText } from './statement-fields.tsx';
import { document, read, type Statement } from './statements.ts';
import classes from './policies.module.css';

type As = 'fields' | 'json';

type PolicyDrawerProps = { policy: PolicyRow | null; opened: boolean; onClose: () => void };

export function PolicyDrawer({ policy, opened, onClose }: PolicyDrawerProps) {
  return (
    <RecordDrawer
      record={policy}
      opened={opened}
      onClose={onClose}
      id={({ name }) => name}
      title={({ name }) => name}
      making={{ title: 'New policy', body: <PolicyForm policy={null} done={onClose} /> }}
      size={620}
    >
      {(one) => (one.built_in ? <BuiltIn policy={one} /> : <PolicyForm policy={one} done={onClose} />)}
    </RecordDrawer>
  );
}

const AsControl = ({ as, setAs }: { as: As; setAs: (as: As) => void }) => (
  <SegmentedControl
    aria-label="Show as"
    size="xs"
    value={as}
    onChange={(value) => setAs(value as As)}
    data={[
      { value: 'fields', label: 'Statements' },
      { value: 'json', label: 'JSON' },
    ]}
  />
);

function BuiltIn({ policy }: { policy: PolicyRow }) {
  const [as, setAs] = useState<As>('fields');
  return (
    <div className={classes.statements}>
      <p className={classes.order}>Built in and read-only. To change it, copy it to a new policy.</p>
      <div>
        <AsControl as={as} setAs={setAs} />
      </div>
      {as === 'json' ? (
        <CodeBlock text={document(policy.name, policy.statements)} label={`policy ${policy.name}`} />
      ) : (
        policy.statements.map((statement, i) => <StatementText key={i} statement={statement} />)
      )}
    </div>
  );
}

const BLANK: Statement = { effect: 'allow', actions: [], resources: ['*'] };

function PolicyForm({ policy, done }: { policy: PolicyRow | null; done: () => void }) {
  const [as, setAs] = useState<As>('fields');
  const create = useAct('policy_create', {
    quiet: true,
    says: ({ policy: made }) => `Policy ${made.name} saved.`,
    onSuccess: done,
  });
  const update = useAct('policy_update', {
    quiet: true,
    says: 'Policy saved. It applies from the next request.',
    onSuccess: done,
  });
  const remove = useAct('policy_delete', { says: 'Policy deleted.', onSuccess: done });
  const form = useActForm(
    { name: policy?.name ?? '', statements: policy?.statements ?? [BLANK], json: '' },
    async ({ name, statements, json }) => {
      const given = as === 'json' ? read(json) : statements;
      if (typeof given === 'string') throw new ApiError(400, 'invalid', given, { fields: { json: given } });
      const body = { version: 1 as const, statements: given };
      await (policy
        ? update.mutateAsync({ policy: policy.name, ...body })
        : create.mutateAsync({ name: name.trim(), ...body }));
    },
  );
  const { values, set, errors } = form;
  const change = (next: As): void => {
    if (next === 'json') set('json', document(values.name, values.statements));
    else {
      const given = read(values.json);
      // What is no policy stays in the JSON until it is fixed; the form's own answer says what is wrong.
      if (typeof given !== 'string') set('statements', given);
    }
    setAs(next);
  };
  return (
    <>
      <FormStack form={form} label={policy ? `Policy ${policy.name}` : 'New policy'}>
        {!policy && (
          <TextInput
            label="Name"
            description="Lowercase letters, digits and hyphens."
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            {...form.text('name')}
          />
        )}
        <p className={classes.order}>A deny always wins. Anything not explicitly allowed is denied.</p>
        <div>
          <AsControl as={as} setAs={change} />
        </div>
        {as === 'json' ? (
          <Textarea
            aria-label="Policy as JSON"
            autosize
            minRows={12}
            maxRows={28}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mono)', fontSize: 12 } }}
            {...form.text('json')}
          />
        ) : (
          <StatementFields
            statements={values.statements}
            onChange={(next) => set('statements', next)}
            error={errors.statements}
          />
        )}
        <FormEnd form={form} act="Save policy" cancel={done} />
      </FormStack>
      {policy && (
        <RemoveButton
          word="Delete policy"
          question={{
            title: `Delete policy ${policy.name}?`,
            says: 'You can delete a policy only when it isn’t attached to anything. This can’t be undone.',
            act: 'Delete',
          }}
          busy={remove.isPending}
          remove={() => remove.mutate({ policy: policy.name })}
        />
      )}
    </>
  );
}
