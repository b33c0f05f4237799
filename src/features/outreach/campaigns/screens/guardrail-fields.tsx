// The rates at which a campaign stops itself, in percent as people say them, shares as the product keeps them.
import { Input, NumberInput } from '@mantine/core';
import { Section } from '../../../../ui/kit/page.tsx';
import type { Guardrails } from '../contract.ts';
import classes from './settings.module.css';

type GuardrailFieldsProps = {
  guardrails: Guardrails;
  error: string | undefined;
  change: (next: Guardrails) => void;
};

const RATES = {
  bounce_rate: 'Maximum bounce rate',
  complaint_rate: 'Maximum complaint rate',
  reply_rate: 'Minimum reply rate',
} as const;

const percent = (rate: number | null): number | '' => (rate === null ? '' : Number((rate * 100).toFixed(3)));

export function GuardrailFields({ guardrails, error, change }: GuardrailFieldsProps) {
  return (
    <Section
      title="Automatic stop"
      says="The campaign stops when a rate crosses its limit. Only a person can resume it."
    >
      <div className={classes.three}>
        {(Object.keys(RATES) as (keyof typeof RATES)[]).map((key) => (
          <NumberInput
            key={key}
            label={RATES[key]}
            placeholder="No limit"
            suffix=" %"
            min={0}
            max={100}
            decimalScale={3}
            value={percent(guardrails[key])}
            onChange={(value) => change({ ...guardrails, [key]: value === '' ? null : Number(value) / 100 })}
          />
        ))}
        <NumberInput
          label="Minimum letters sent"
          min={1}
          max={100_000}
          value={guardrails.min_sends}
          onChange={(value) => change({ ...guardrails, min_sends: Number(value) || 1 })}
        />
        <NumberInput
          label="Measurement period (days)"
          min={1}
          max={365}
          value={guardrails.window_days}
          onChange={(value) => change({ ...guardrails, window_days: Number(value) || 1 })}
        />
      </div>
      {error && <Input.Error>{error}</Input.Error>}
    </Section>
  );
}
