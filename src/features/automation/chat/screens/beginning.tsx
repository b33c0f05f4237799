// Empty conversation: what the agent does, or what is missing before it can.
import { MessagesSquare, TriangleAlert } from 'lucide-react';
import { Empty } from '../../../../ui/kit/states.tsx';
import { useModels } from './agent-choice.tsx';
import { NextStep } from './next-step.tsx';

const NO_MODEL = 'No model available. An administrator can add a provider key in Settings → Integrations.';

export function Beginning({ agent }: { agent: string }) {
  const models = useModels().data;
  if (models && models.default === null) {
    const failing = models.providers.find(({ state }) => state === 'failing')?.sentence;
    const says = failing ?? NO_MODEL;
    return (
      <Empty icon={TriangleAlert} title="No model connected">
        {says}
        <NextStep sentence={says} />
      </Empty>
    );
  }
  return (
    <Empty icon={MessagesSquare} title={`Chat with ${agent}`}>
      Ask a question or give it a task. It can do what you can; actions that can’t be undone need your
      approval.
    </Empty>
  );
}
