// The definitions of one noun, changed together. Fields that records hold values of go only after a question that names how
// many; the product says so, and asks again for the values.
import { useState } from 'react';
import { ApiError } from '../../../../ui/client/call.ts';
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { FieldDefinitions, withKeys } from '../../../../ui/kit/field-definitions.tsx';
import type { CustomField, FieldSet } from '../contract.ts';
import classes from './fields.module.css';

export function FieldSetForm({ set }: { set: FieldSet }) {
  const act = useAct('field_replace', { quiet: true, says: 'Fields saved.', touches: ['work'] });
  const [given, setGiven] = useState(set.fields);
  const gone = set.fields.filter(({ key }) => !given.some((field) => field.key === key));
  const form = useActForm({ fields: set.fields }, async ({ fields }) => {
    const asked = { noun: set.noun, revision: set.revision, fields: withKeys(fields) };
    try {
      await act.mutateAsync(asked);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409 || !onlyLosesValues(error)) throw error;
      const sure = await confirm({
        title: gone.length === 1 ? `Remove ${gone[0]?.title ?? 'this field'}?` : 'Remove these fields?',
        says: `${sentence(error)} This can’t be undone.`,
        act: 'Delete values',
        tone: 'bad',
      });
      if (sure) await act.mutateAsync({ ...asked, drop_values: true });
    }
  });
  const change = (fields: CustomField[]): void => {
    setGiven(fields);
    form.set('fields', fields);
  };
  return (
    <FormStack form={form} label="Custom fields">
      {given.length === 0 && (
        <p className={classes.none}>No custom fields yet. Add one below and it appears on every record.</p>
      )}
      <FieldDefinitions fields={form.values.fields} error={form.errors.fields} change={change} />
      <FormEnd form={form} act="Save" />
    </FormStack>
  );
}

/** The product's word for a removal that takes values along; a stale revision or another kind is no such question. */
const onlyLosesValues = (error: ApiError): boolean => error.sentence.includes('drop_values');

const sentence = (error: ApiError): string => {
  const [held = ''] = error.sentence.split(': send drop_values');
  return `${held.charAt(0).toUpperCase()}${held.slice(1)}.`;
};
