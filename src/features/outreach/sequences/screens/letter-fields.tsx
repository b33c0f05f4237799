// The fields of a letter: subject and text with merge fields, a template as a start, and attachments.
import { Button, Menu, Switch, Textarea, TextInput } from '@mantine/core';
import { Braces, FileText } from 'lucide-react';
import { useRef } from 'react';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { AttachButton, AttachedList, useAttaching } from '../../../../ui/kit/attachments.tsx';
import type { StepFieldsProps } from './step-fields.tsx';
import classes from './steps.module.css';

export function LetterFields({ step, steps, at, fields, campaign, faults, change }: StepFieldsProps) {
  const body = useRef<HTMLTextAreaElement>(null);
  const head = useRef<HTMLInputElement>(null);
  const last = useRef<'subject' | 'text'>('text');
  const first = !steps.slice(0, at).some(({ kind }) => kind === 'letter');

  const insert = (field: string): void => {
    const side = last.current === 'subject' && !step.same_thread ? 'subject' : 'text';
    const input = side === 'subject' ? head.current : body.current;
    const before = step[side] ?? '';
    const from = input?.selectionStart ?? before.length;
    const to = input?.selectionEnd ?? from;
    const mark = `{{ ${field} }}`;
    change({ ...step, [side]: before.slice(0, from) + mark + before.slice(to) });
    requestAnimationFrame(() => {
      input?.focus();
      input?.setSelectionRange(from + mark.length, from + mark.length);
    });
  };

  return (
    <>
      {!first && (
        <Switch
          label="Follow-up in the same thread"
          description="The letter arrives in the previous letter’s thread, with the same subject."
          checked={step.same_thread}
          onChange={(event) => change({ ...step, same_thread: event.currentTarget.checked })}
        />
      )}
      {!step.same_thread && (
        <TextInput
          ref={head}
          label="Subject"
          maxLength={500}
          value={step.subject ?? ''}
          error={faults['subject']}
          onFocus={() => (last.current = 'subject')}
          onChange={(event) => change({ ...step, subject: event.currentTarget.value })}
        />
      )}
      <div className={classes.tools} role="toolbar" aria-label="Insert">
        <FieldMenu fields={fields} insert={insert} />
        <TemplateMenu
          empty={!step.text}
          put={(template) =>
            change({
              ...step,
              subject: step.same_thread ? step.subject : (template.subject ?? step.subject),
              text: template.text,
              html: template.html,
            })
          }
        />
      </div>
      <Textarea
        ref={body}
        label="Text"
        autosize
        minRows={10}
        maxRows={26}
        maxLength={50_000}
        value={step.text ?? ''}
        error={faults['text']}
        onFocus={() => (last.current = 'text')}
        onChange={(event) => change({ ...step, text: event.currentTarget.value })}
      />
      <Attachments step={step} campaign={campaign} change={change} />
    </>
  );
}

const FieldMenu = ({ fields, insert }: { fields: string[]; insert: (field: string) => void }) => (
  <Menu position="bottom-start" returnFocus={false}>
    <Menu.Target>
      <Button variant="default" size="compact-sm" leftSection={<Braces size={14} />}>
        Merge field
      </Button>
    </Menu.Target>
    <Menu.Dropdown mah={280} style={{ overflowY: 'auto' }}>
      {fields.map((field) => (
        <Menu.Item key={field} onClick={() => insert(field)}>
          {field}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

type Texts = { subject: string | null; text: string; html: string | null };

function TemplateMenu({ put, empty }: { put: (template: Texts) => void; empty: boolean }) {
  const { data } = useRead('template_list', { limit: 100 }, { stale_ms: 60_000 });
  if (!data || data.items.length === 0) return null;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" size="compact-sm" leftSection={<FileText size={14} />}>
          {empty ? 'Use a template' : 'Replace with a template'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={280} style={{ overflowY: 'auto' }}>
        {data.items.map((template) => (
          <Menu.Item key={template.id} onClick={() => put(template)}>
            {template.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Attachments({ step, campaign, change }: Pick<StepFieldsProps, 'step' | 'campaign' | 'change'>) {
  const upload = useAct('attachment_create');
  const carried = {
    files: step.attachments,
    change: (attachments: typeof step.attachments) => change({ ...step, attachments }),
  };
  const attaching = useAttaching({
    ...carried,
    upload: (file) =>
      upload.mutateAsync({ campaign, ...file }).then(
        ({ attachment }) => attachment,
        () => null,
      ),
  });
  return (
    <div className={classes.attachments}>
      <AttachedList {...carried} />
      <AttachButton attaching={attaching} />
    </div>
  );
}
