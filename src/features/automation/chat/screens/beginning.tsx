// What is in a conversation before its first word: what an agent does, and what is missing where it cannot.
import { MessagesSquare, TriangleAlert } from 'lucide-react';
import { Empty } from '../../../../ui/kit/states.tsx';
import { useModels } from './agent-choice.tsx';
import { NextStep } from './next-step.tsx';

const NO_MODEL =
  'No model can be used yet: an administrator saves the key of a provider in Settings → Integrations.';

export function Beginning({ agent }: { agent: string }) {
  const models = useModels().data;
  if (models && models.default === null) {
    const failing = models.providers.find(({ state }) => state === 'failing')?.sentence;
    const says = failing ?? NO_MODEL;
    return (
      <Empty icon={TriangleAlert} title="Nobody answers yet">
        {says}
        <NextStep sentence={says} />
      </Empty>
    );
  }
  return (
    <Empty icon={MessagesSquare} title={`Talk to ${agent}`}>
      It looks things up and does what you may do yourself. What cannot be taken back it proposes, and you
      decide here.
    </Empty>
  );
}
