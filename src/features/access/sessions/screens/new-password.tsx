// A new password with a hint of its strength: length counts most, because length is what a guesser has to pay for.
import { PasswordInput } from '@mantine/core';
import type { ActForm } from '../../../../ui/kit/form.tsx';
import classes from './new-password.module.css';

/** As the product asks (12 characters at least). */
const LEAST = 12;

const STEPS = ['Too short', 'Weak', 'Fair', 'Good', 'Strong'] as const;

/** The same part again and again: then it is in itself twice over, before its end. */
const repeats = (password: string): boolean => (password + password).indexOf(password, 1) < password.length;

/** 0 to 4: a rough guess at the effort of guessing, from length and variety, less for what repeats or everyone uses. */
export function strength(password: string): number {
  if (password.length < LEAST) return 0;
  const distinct = new Set(password).size;
  const classesUsed = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/].filter((one) => one.test(password)).length;
  const bits =
    distinct * 2.2 + (password.length - LEAST) * 2 + classesUsed * 4 - (repeats(password) ? 30 : 0);
  const common = /password|qwerty|123456|letmein|dunnock/i.test(password) ? 14 : 0;
  return Math.min(4, Math.max(1, Math.floor((bits - common - 14) / 9)));
}

type Wired = ReturnType<ActForm<{ password: string }>['text']>;

export function NewPassword({ label = 'Password', ...input }: Wired & { label?: string }) {
  const level = strength(input.value);
  return (
    <div>
      <PasswordInput
        label={label}
        autoComplete="new-password"
        description="At least 12 characters. Four unrelated words are stronger than one complicated word."
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        {...input}
      />
      <div className={classes.strength} data-level={input.value ? level : undefined}>
        <div aria-hidden className={classes.bars}>
          {[1, 2, 3, 4].map((step) => (
            <span key={step} data-on={(input.value && level >= step) || undefined} />
          ))}
        </div>
        <span role="status">{input.value ? STEPS[level] : ''}</span>
      </div>
    </div>
  );
}
