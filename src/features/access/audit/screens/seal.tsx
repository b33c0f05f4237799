// The newest seal of the audit log, to be kept outside the instance.
import { useRead } from '../../../../ui/client/hooks.ts';
import { CodeBlock } from '../../../../ui/kit/code-block.tsx';
import { Section } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { SEAL } from './words.ts';

export function SealSection() {
  const { data, error, refetch } = useRead('audit_seal', {});
  return (
    <Section title={SEAL.title} says={SEAL.says}>
      {error ? (
        <Trouble subject error={error} again={() => void refetch()} />
      ) : !data ? (
        <Bones lines={2} />
      ) : data.seal === null ? (
        <p>{SEAL.none}</p>
      ) : (
        <>
          <p>
            {SEAL.until(data.seal.number)} <Time at={data.seal.until} />
          </p>
          <CodeBlock label={SEAL.head} text={data.seal.hash} />
        </>
      )}
    </Section>
  );
}
