// Statements as fields: allow or deny, which actions, on what; and as text where they can only be read.
import { ActionIcon, Button, SegmentedControl, TagsInput, Tooltip } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { Pill, type Tone } from '../../../../ui/kit/pills.tsx';
import { ACTIONS, type Statement } from './statements.ts';
import classes from './policies.module.css';

const EFFECT_TONE: Record<Statement['effect'], Tone> = { allow: 'good', propose: 'warn', deny: 'bad' };

type StatementFieldsProps = {
  statements: Statement[];
  onChange: (next: Statement[]) => void;
  error: string | undefined;
};

export function StatementFields({ statements, onChange, error }: StatementFieldsProps) {
  const put = (at: number, change: Partial<Statement>): void =>
    onChange(statements.map((one, i) => (i === at ? { ...one, ...change } : one)));
  return (
    <div className={classes.statements}>
      {statements.map((statement, i) => (
        <fieldset key={i} className={classes.statement} data-effect={statement.effect} style={{ margin: 0 }}>
          <legend className="unseen">Statement {i + 1}</legend>
          <div className={classes.statementHead}>
            <SegmentedControl
              aria-label={`Effect of statement ${i + 1}`}
              size="xs"
              value={statement.effect}
              onChange={(effect) => put(i, { effect: effect as Statement['effect'] })}
              data={[
                { value: 'allow', label: 'Allow' },
                { value: 'propose', label: 'Propose' },
                { value: 'deny', label: 'Deny' },
              ]}
            />
            <Tooltip label="Remove">
              <ActionIcon
                aria-label={`Remove statement ${i + 1}`}
                onClick={() => onChange(statements.filter((_, at) => at !== i))}
              >
                <Trash2 size={15} />
              </ActionIcon>
            </Tooltip>
          </div>
          <TagsInput
            label="Actions"
            placeholder={statement.actions.length ? '' : 'work.item.read, crm.*.read'}
            data={ACTIONS}
            value={statement.actions}
            onChange={(actions) => put(i, { actions })}
            splitChars={[',', ' ']}
          />
          <TagsInput
            label="Resources"
            placeholder={statement.resources.length ? '' : '* or work:project/OUT'}
            data={['*', 'work:project/']}
            value={statement.resources}
            onChange={(resources) => put(i, { resources })}
            splitChars={[',', ' ']}
          />
        </fieldset>
      ))}
      {error && (
        <p role="alert" style={{ color: 'var(--bad)' }}>
          {error}
        </p>
      )}
      <div>
        <Button
          variant="default"
          leftSection={<Plus size={15} />}
          onClick={() => onChange([...statements, { effect: 'allow', actions: [], resources: ['*'] }])}
        >
          Add a statement
        </Button>
      </div>
    </div>
  );
}

export function StatementText({ statement }: { statement: Statement }) {
  return (
    <div className={classes.statement} data-effect={statement.effect}>
      <div className={classes.readLine}>
        <Pill tone={EFFECT_TONE[statement.effect]}>{statement.effect}</Pill>
        {statement.actions.map((action) => (
          <code key={action}>{action}</code>
        ))}
      </div>
      <div className={classes.readLine}>
        <span>on</span>
        {statement.resources.map((resource) => (
          <code key={resource}>{resource === '*' ? 'everything' : resource}</code>
        ))}
      </div>
    </div>
  );
}
