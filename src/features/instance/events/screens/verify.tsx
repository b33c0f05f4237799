// Verification code to copy, one tab per language.
import { Tabs } from '@mantine/core';
import { CodeBlock } from '../../../../ui/kit/code-block.tsx';
import { SNIPPETS } from './snippets.ts';
import classes from './integrations.module.css';

export const Verify = () => (
  <Tabs
    defaultValue={SNIPPETS[0]?.title ?? null}
    variant="pills"
    classNames={{ list: classes.tabs ?? '', tab: classes.tab ?? '' }}
  >
    <Tabs.List aria-label="Languages">
      {SNIPPETS.map(({ title }) => (
        <Tabs.Tab key={title} value={title}>
          {title}
        </Tabs.Tab>
      ))}
    </Tabs.List>
    {SNIPPETS.map(({ title, code }) => (
      <Tabs.Panel key={title} value={title}>
        <CodeBlock text={code.trimEnd()} label={`verification code in ${title}`} />
      </Tabs.Panel>
    ))}
  </Tabs>
);
