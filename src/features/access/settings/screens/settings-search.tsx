// The search field of Settings: pages and single settings by their names and by what they do.
import { TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { foundSettings } from '../../../../ui/shell/settings-search.ts';
import type { SettingsPage } from '../../../../ui/shell/settings-pages.ts';
import classes from './frame.module.css';

type SettingsSearchProps = { pages: SettingsPage[]; asked: string; setAsked: (asked: string) => void };

const NONE = 'No matching settings.';
const plain = (text: string): string => text.toLowerCase();

export function SettingsSearch({ pages, asked, setAsked }: SettingsSearchProps) {
  const words = plain(asked).split(/\s+/).filter(Boolean);
  const found =
    words.length === 0
      ? []
      : [
          ...pages
            .filter((page) => words.every((word) => plain(`${page.title} ${page.says}`).includes(word)))
            .map((page) => ({ to: page.to as string, hash: '', title: page.title, says: page.says })),
          ...foundSettings(pages, asked).map(({ page, setting }) => ({
            to: page.to as string,
            hash: setting.name,
            title: setting.name,
            says: `${page.title}: ${setting.says}`,
          })),
        ];
  return (
    <search>
      <TextInput
        type="search"
        aria-label="Search settings"
        placeholder="Search settings"
        leftSection={<Search size={14} aria-hidden />}
        value={asked}
        onChange={(event) => setAsked(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || asked === '') return;
          event.stopPropagation();
          setAsked('');
        }}
      />
      {words.length > 0 && (
        <>
          <p className="unseen" role="status">
            {found.length === 0 ? NONE : `${found.length} found`}
          </p>
          {found.length === 0 ? (
            <p className={classes.none}>{NONE}</p>
          ) : (
            <ul className={classes.found} aria-label="Matching settings">
              {found.map(({ to, hash, title, says }) => (
                <li key={`${to}#${hash}`}>
                  <Link to={to} hash={hash}>
                    <strong>{title}</strong>
                    <span>{says}</span>
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </search>
  );
}
