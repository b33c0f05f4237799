// Form for what an agent may do without approval. Saved separately, after the administrator confirms their identity.
import { MultiSelect } from '@mantine/core';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { inWords } from '../../../work/approvals/words.rules.ts';
import type { Agent } from '../contract.ts';
import classes from './agents.module.css';

export function Allowed({ agent, edits }: { agent: Agent; edits: boolean }) {
  const { data } = useRead('agent_tools', {}, { stale_ms: 60_000 });
  const allow = useAct('agent_allow', { quiet: true, says: 'Permissions saved.' });
  const form = useActForm({ allowed: agent.allowed }, ({ allowed }) =>
    allow.mutateAsync({ agent: agent.id, revision: agent.revision, allowed }),
  );
  const { values, set, errors } = form;
  const says = new Map(data?.acts.map((act) => [act.operation, act.says]));
  const known = new Set([...says.keys(), ...agent.allowed]);
  return (
    <div className={classes.tools}>
      <FormStack form={form} label={`Actions ${agent.name} may take without approval`}>
        <MultiSelect
          label="Allowed without approval"
          description="All other deletions, activations and permission changes need approval. After the agent reads text from outside, these actions need approval too."
          placeholder={values.allowed.length === 0 ? 'None (always ask for approval)' : ''}
          data={[...known].map((operation) => ({ value: operation, label: inWords(operation) }))}
          value={values.allowed}
          onChange={(next) => set('allowed', next)}
          searchable
          hidePickedOptions
          maxDropdownHeight={280}
          readOnly={!edits}
          error={errors.allowed}
          renderOption={({ option }) => (
            <span className={classes.option}>
              <span>{option.label}</span>
              <span>{says.get(option.value)}</span>
            </span>
          )}
        />
        {edits && <FormEnd form={form} act="Save permissions" />}
      </FormStack>
    </div>
  );
}
