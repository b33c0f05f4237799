// Finding a setting by its name or by what it does, and the address at which it is lit.
import type { Setting, SettingsPage } from './settings-pages.ts';

const LEAST = 2;
const plain = (text: string): string => text.toLowerCase();

/** Every word of the question is in its name, in what it does, or in its page's name. */
export function foundSettings(
  pages: SettingsPage[],
  question: string,
): { page: SettingsPage; setting: Setting }[] {
  if (question.trim().length < LEAST) return [];
  const words = plain(question).split(/\s+/).filter(Boolean);
  return pages.flatMap((page) =>
    page.settings
      .filter((setting) => {
        const said = plain(`${setting.name} ${setting.says} ${page.title}`);
        return words.every((word) => said.includes(word));
      })
      .map((setting) => ({ page, setting })),
  );
}

export const settingAddress = (page: SettingsPage, { name }: Setting): string =>
  `${page.to}#${encodeURIComponent(name)}`;
