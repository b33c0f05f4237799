// Handlers of settings.
import { bind } from '../../../kernel/context.ts';
import { settingsChat, settingsGet, settingsSecurity, settingsWorkflows } from './contract.ts';
import { keepSettings, readSettings } from './store.ts';

export const get = bind(settingsGet, async ({ db, app }) => ({
  instance: app.instance,
  ...(await readSettings(db)),
}));

export const security = bind(settingsSecurity, async ({ db, app, tell }, given) => {
  await keepSettings(db, 'security', given);
  tell('settings', 'security');
  return { instance: app.instance, ...(await readSettings(db)) };
});

export const chat = bind(settingsChat, async ({ db, app, tell }, given) => {
  await keepSettings(db, 'chat', given);
  tell('settings', 'chat');
  return { instance: app.instance, ...(await readSettings(db)) };
});

export const workflows = bind(settingsWorkflows, async ({ db, app, tell }, given) => {
  await keepSettings(db, 'workflows', given);
  tell('settings', 'workflows');
  return { instance: app.instance, ...(await readSettings(db)) };
});
