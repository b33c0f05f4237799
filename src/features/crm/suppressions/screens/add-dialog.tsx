// Suppressing one address or domain, or many that are pasted at once. Every line that isn’t an address is named before anything
// is sent, and what the product refuses is named by its line.
import { Modal, Select, Textarea, TextInput } from '@mantine/core';
import { ApiError, call, type Takes } from '../../../../ui/client/call.ts';
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import type { Suppression } from '../contract.ts';
import { isPublicProvider } from '../providers.rules.ts';
import { REASON, REASONS_LISTED } from './words.ts';

/** As many as the product takes at once. */
const AT_ONCE = 500;

/** Lines, commas and semicolons part them; what holds no @ before its end is a domain. */
export const partsOf = (text: string): string[] =>
  text
    .split(/[\n,;]+/)
    .map((part) => part.trim())
    .filter(Boolean);

const wishOf = (part: string): { address: string } | { domain: string } =>
  part.lastIndexOf('@') > 0 ? { address: part } : { domain: part };

/** Of a line that means a whole domain; empty for an address. */
const domainIn = (part: string): string => {
  const wish = wishOf(part);
  return 'domain' in wish ? wish.domain.replace(/^@/, '').toLowerCase() : '';
};

/** Everyone with a mailbox there: how many of ours that is, before anything is sent. */
async function confirmed(domain: string, wish: Takes<'suppression_add'>): Promise<boolean> {
  const { reach } = await call('suppression_add', { ...wish, dry_run: true });
  const people = reach.people === null ? '' : ` ${reach.people} people have an address there.`;
  const letters = reach.letters_withdrawn ? ` ${reach.letters_withdrawn} letters to them won’t be sent.` : '';
  return confirm({
    title: `Suppress everyone at ${domain}?`,
    says: `${domain} is a public mail provider.${people}${letters}`,
    act: 'Suppress domain',
    tone: 'bad',
  });
}

type AddProps = { opened: boolean; onClose: () => void; values?: string[] };

export function AddSuppressions({ opened, onClose, values }: AddProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Suppress addresses or domains"
      size={520}
      closeOnEscape={topmost}
    >
      <AddForm {...(values ? { values } : {})} done={onClose} />
    </Modal>
  );
}

function AddForm({ values = [], done }: { values?: string[]; done: () => void }) {
  const add = useAct('suppression_add', { quiet: true, says: said });
  const form = useActForm(
    { suppressions: values.join('\n'), reason: 'manual' as Suppression['reason'], note: '', expires_at: '' },
    async ({ suppressions: text, reason, note, expires_at }) => {
      const parts = partsOf(text);
      if (parts.length === 0 || parts.length > AT_ONCE)
        throw new ApiError(400, 'invalid', '', {
          fields: {
            suppressions:
              parts.length === 0
                ? 'Enter at least one address or domain, such as ann@example.com or example.com.'
                : `${parts.length} entries. The limit is ${AT_ONCE} at a time.`,
          },
        });
      const common = {
        reason,
        ...(note.trim() ? { note: note.trim() } : {}),
        ...(expires_at && reason === 'manual' ? { expires_at: endOf(expires_at) } : {}),
      };
      const wish = { suppressions: parts.map((part) => ({ ...wishOf(part), ...common })) };
      const provider = parts.find((part) => isPublicProvider(domainIn(part)));
      try {
        if (provider !== undefined && !(await confirmed(domainIn(provider), wish))) return;
        await add.mutateAsync({ ...wish, ...(provider !== undefined && { confirm: true as const }) });
      } catch (error) {
        throw error instanceof ApiError ? byLine(error, parts) : error;
      }
      done();
    },
  );
  const count = partsOf(form.values.suppressions).length;
  return (
    <FormStack form={form} label="Suppress addresses or domains">
      <Textarea
        label="Addresses or domains"
        description="One per line or separated by commas. A domain covers all of its addresses."
        placeholder={'ann@example.com\nexample.org'}
        data-autofocus
        autosize
        minRows={3}
        maxRows={12}
        {...form.text('suppressions')}
      />
      <Select
        label="Reason"
        description={REASON[form.values.reason].why}
        allowDeselect={false}
        data={REASONS_LISTED.map((value) => ({ value, label: REASON[value].title }))}
        value={form.values.reason}
        error={form.errors.reason}
        onChange={(reason) => form.set('reason', reason ?? 'manual')}
      />
      {form.values.reason === 'manual' && (
        <TextInput
          type="date"
          label="Until"
          description="Expires after this day. Without a date, it applies until someone lifts it."
          {...form.text('expires_at')}
        />
      )}
      <Textarea
        label="Note"
        description="Shown to anyone who considers lifting the suppression."
        maxLength={500}
        autosize
        {...form.text('note')}
      />
      <FormEnd form={form} act={count > 1 ? `Suppress ${count}` : 'Suppress'} cancel={done} />
    </FormStack>
  );
}

const said = ({ added, suppressions = [] }: { added: number; suppressions?: Suppression[] }): string => {
  const existed = new Set(suppressions.map((row) => row.id)).size - added;
  const first = suppressions[0]?.value ?? '';
  const made = added === 1 && suppressions.length === 1 ? `${first} suppressed.` : `${added} suppressed.`;
  return existed > 0 ? `${made} ${existed} already existed.` : made;
};

/** The end of that day where one sits. */
const endOf = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

/** `suppressions.3.address` is the fourth of what was typed. */
function byLine(error: ApiError, parts: string[]): ApiError {
  const faults = Object.entries(error.fields).map(([path, says]) => {
    const [, at, name = ''] = path.split('.');
    const part = parts[Number(at)] ?? '';
    return {
      name,
      says: `“${part}”: ${says.replace(`${path}: `, '')}`,
      whole: says.replace(`${path}: `, ''),
    };
  });
  const ends = faults.find((fault) => fault.name === 'expires_at');
  const lines = faults.filter((fault) => fault.name !== 'expires_at').map((fault) => fault.says);
  const shown = lines.length > 6 ? [...lines.slice(0, 6), `and ${lines.length - 6} more`] : lines;
  return new ApiError(error.status, error.code, error.sentence, {
    fields: {
      ...(shown.length > 0 ? { suppressions: shown.join('; ') } : {}),
      ...(ends ? { expires_at: ends.whole } : {}),
    },
  });
}
