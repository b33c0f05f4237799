// Beside a person or an address: that nothing is written to them, and why.
import { Ban } from 'lucide-react';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { exact } from '../../../../ui/kit/time.tsx';
import type { StandingMark } from '../contract.ts';
import { REASON } from './words.ts';

export function SuppressedMark({ mark }: { mark: StandingMark }) {
  const { title, tone, why } = REASON[mark.reason];
  const domain = mark.via === 'domain' ? ' The whole domain is suppressed.' : '';
  return (
    <Pill tone={tone} title={`${why}${domain} Since ${exact(mark.since)}.`}>
      <Ban size={11} aria-hidden />
      <span className="unseen">Suppressed: </span>
      {title}
    </Pill>
  );
}
