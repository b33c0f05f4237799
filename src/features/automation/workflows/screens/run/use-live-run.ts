// One run, read once and then followed over its stream. Change notifications are the fallback.
import { useEffect } from 'react';
import { known, useRead } from '../../../../../ui/client/hooks.ts';
import type { Run } from '../../runs.contract.ts';

const isOver = ({ finished_at }: Run): boolean => finished_at !== null;

export function useLiveRun(id: string) {
  const read = useRead('run_get', { run: id });
  const run = read.data?.run;
  const open = run !== undefined && !isOver(run);
  useEffect(() => {
    if (!open) return;
    const source = new EventSource(`/api/workflows/runs/${id}/events`);
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const answer = JSON.parse(data) as { run: Run };
      known.set('run_get', { run: id }, answer);
      // The stream ends with the run; the browser would open it again.
      if (isOver(answer.run)) source.close();
    });
    return () => source.close();
  }, [id, open]);
  return read;
}
