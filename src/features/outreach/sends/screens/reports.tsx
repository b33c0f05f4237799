// What servers reported of a letter, newest first: how it counts, why in our words, and the server's own words as data.
import { Pill } from '../../../../ui/kit/pills.tsx';
import { ServerWords } from '../../../../ui/kit/server-words.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { whyReported } from '../../../../ui/kit/causes.ts';
import type { DeliveryReport } from '../../deliveries/report.contract.ts';
import { REPORTED, SOURCE } from './words.ts';
import classes from './sends.module.css';

export function Reports({ reports }: { reports: DeliveryReport[] }) {
  if (reports.length === 0) return null;
  return (
    <section className={classes.facts} aria-labelledby="reports">
      <h2 id="reports">Delivery reports</h2>
      <ol className={classes.reports}>
        {reports.map((report) => (
          <li key={`${report.at} ${report.kind} ${report.source}`}>
            <p className={classes.report}>
              <Pill tone={REPORTED[report.kind].tone}>{REPORTED[report.kind].title}</Pill>
              <span className={classes.why}>
                {SOURCE[report.source]} · <Time at={report.at} />
              </span>
            </p>
            {isBad(report) && (
              <p>
                {whyReported(report)}
                {report.status && <> · {report.status}</>}
              </p>
            )}
            {report.said && <ServerWords said={report.said} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

const isBad = ({ kind }: DeliveryReport): boolean => kind !== 'accepted' && kind !== 'delivered';
