// Forms that show the server’s answers: a refusal’s bad fields at their inputs, and its sentence above the buttons if no field
// has it.
import { Button } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import {
  useEffect,
  useId,
  useRef,
  useState,
  type ChangeEvent,
  type ReactNode,
  type SubmitEvent,
} from 'react';
import { ApiError } from '../client/call.ts';
import { letGo, markOf, useLeaveGuard } from './leave.ts';
import classes from './form.module.css';

type Values = Record<string, unknown>;

/** What a text input takes. */
type TextProps = {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
};

export type ActForm<V> = {
  values: V;
  /** Sentences by field, as the product gave them. */
  errors: Partial<Record<keyof V, string>>;
  set: <K extends keyof V>(name: K, value: V[K]) => void;
  /** Wires a text input: `<TextInput {...form.text('name')} />`. */
  text: (name: keyof V & string) => TextProps;
  reset: (values?: V) => void;
  /** The refusal that no shown field owns. */
  trouble: ApiError | null;
  busy: boolean;
  onSubmit: (event: SubmitEvent) => void;
  /** By which the guard of what was typed knows it. */
  id: string;
};

/**
 * `send` acts with the values and throws what the product refuses (`mutateAsync` of a quiet `useAct`, or `call`). Where it leads
 * to another screen it waits for that, so that nothing is typed into a form that was sent already, or sent again from it.
 */
export function useActForm<V extends Values>(
  initial: V,
  send: (values: V) => Promise<unknown>,
  /**
   * `clear` empties the form once it was sent; `passing`: what is typed is no loss, as a password that is asked for; `revision`: of
   * the record whose values these are. With another one the fields follow the record, but for those changed here and not saved.
   */
  options: { clear?: boolean; passing?: boolean; revision?: number } = {},
): ActForm<V> {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<ActForm<V>['errors']>({});
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const [kept, setKept] = useState(initial);
  const [revision, setRevision] = useState(options.revision);
  const id = useId();
  if (revision !== options.revision) {
    setRevision(options.revision);
    setKept(initial);
    setValues(followed(initial, kept, values));
  }
  useLeaveGuard(!options.passing && !busy && differ(values, kept), { id });

  const set: ActForm<V>['set'] = (name, value) => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors((before) => ({ ...before, [name]: undefined }));
  };
  const submit = async (): Promise<void> => {
    setBusy(true);
    setTrouble(null);
    setErrors({});
    // The record may be read again before its answer is here: what is being sent is no change to it.
    setKept(values);
    try {
      await send(values);
      if (options.clear) {
        setKept(initial);
        setValues(initial);
      }
    } catch (error) {
      setKept(kept);
      setValues(values);
      if (!(error instanceof ApiError)) throw error;
      // `statements.0.actions` belongs to the field `statements`.
      const own = Object.entries(error.fields).map(
        ([path, sentence]) => [path.split('.')[0] ?? path, sentence] as const,
      );
      const shown = own.filter(([name]) => name in initial);
      setErrors(Object.fromEntries(shown) as ActForm<V>['errors']);
      if (error.code !== 'given_up' && shown.length < Math.max(own.length, 1)) setTrouble(error);
    } finally {
      setBusy(false);
    }
  };
  return {
    values,
    errors,
    set,
    text: (name) => ({
      name,
      value: String(values[name] ?? ''),
      error: errors[name],
      onChange: (event) => set(name, event.currentTarget.value as V[typeof name]),
    }),
    reset: (next = initial) => {
      setKept(next);
      setValues(next);
      setErrors({});
      setTrouble(null);
    },
    trouble,
    busy,
    onSubmit: (event) => {
      event.preventDefault();
      if (!busy) void submit();
    },
    id,
  };
}

/** The record's values, and of those that were changed here the changed ones. */
const followed = <V extends Values>(record: V, kept: V, values: V): V =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      differ({ name: values[name] }, { name: kept[name] }) ? values[name] : value,
    ]),
  ) as V;

const differ = (one: Values, other: Values): boolean => JSON.stringify(one) !== JSON.stringify(other);

export function FormStack({
  form,
  children,
  label,
}: {
  form: Pick<ActForm<never>, 'onSubmit' | 'busy' | 'id'>;
  children: ReactNode;
  label: string;
}) {
  const { busy } = form;
  const focused = useRef<Element | null>(null);
  // A form that is being sent takes no input; where it was refused, the focus is where it was.
  useEffect(() => {
    if (busy) return;
    const before = focused.current;
    focused.current = null;
    if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected)
      before.focus({ preventScroll: true });
  }, [busy]);
  return (
    <form
      className={classes.stack}
      inert={busy}
      onSubmit={(event) => {
        focused.current = document.activeElement;
        form.onSubmit(event);
      }}
      noValidate
      aria-label={label}
      {...markOf(form.id)}
    >
      {children}
    </form>
  );
}

/** Short fields, beside each other where there is room. */
export const FormPairs = ({ children, tight }: { children: ReactNode; tight?: boolean }) => (
  <div className={classes.pairs} data-tight={tight || undefined}>
    {children}
  </div>
);

/** The product's sentence; said aloud when it appears. */
export function Refused({ error }: { error: ApiError | null }) {
  return (
    <div role="alert">
      {error && (
        <p className={classes.refused}>
          <CircleAlert size={16} aria-hidden />
          <span>
            {error.sentence}
            {error.retry_after ? ` Try again in ${error.retry_after} s.` : ''}
          </span>
        </p>
      )}
    </div>
  );
}

/** The refusal, then the buttons at the end: the act, and Cancel. */
export function FormEnd({
  form,
  act,
  cancel,
  full,
}: {
  form: Pick<ActForm<never>, 'trouble' | 'busy' | 'id'>;
  act: string;
  cancel?: () => void;
  full?: boolean;
}) {
  return (
    <>
      <Refused error={form.trouble} />
      <div className={classes.end}>
        {cancel && (
          <Button
            variant="default"
            onClick={() => {
              letGo(form.id);
              cancel();
            }}
          >
            Cancel
          </Button>
        )}
        <Button type="submit" loading={form.busy} fullWidth={full ?? false}>
          {act}
        </Button>
      </div>
    </>
  );
}
