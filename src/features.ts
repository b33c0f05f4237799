// The features in order: the whole surface of the product. A feature is here or it does not exist.
import type { Feature } from './kernel/house.ts';
import { answers } from './features/answers/feature.ts';
import { agents } from './features/agents/feature.ts';
import { replyReader } from './features/agents/reading.ts';
import { approvals } from './features/approvals/feature.ts';
import { audit } from './features/audit/feature.ts';
import { campaigns } from './features/campaigns/feature.ts';
import { chat } from './features/chat/feature.ts';
import { chatAction } from './features/chat/decided.ts';
import { capabilities } from './features/capabilities/feature.ts';
import { companies } from './features/companies/feature.ts';
import { deals } from './features/deals/feature.ts';
import { dealsOfPerson } from './features/deals/holder.store.ts';
import { deliveries } from './features/deliveries/feature.ts';
import { digests } from './features/digests/feature.ts';
import { domains } from './features/domains/feature.ts';
import { events } from './features/events/feature.ts';
import { fields } from './features/fields/feature.ts';
import { forms } from './features/forms/feature.ts';
import { groups } from './features/groups/feature.ts';
import { health } from './features/health/feature.ts';
import { identities } from './features/identities/feature.ts';
import type { LettersOfSenders } from './features/identities/letters.ts';
import { imports } from './features/imports/feature.ts';
import { importsHolder } from './features/imports/holder.ts';
import { instanceMail } from './features/instance-mail/feature.ts';
import { copies } from './features/copies/feature.ts';
import { mailboxes } from './features/mailboxes/feature.ts';
import { landing } from './features/landing/feature.ts';
import { me } from './features/me/feature.ts';
import { notifications } from './features/notifications/feature.ts';
import { people } from './features/people/feature.ts';
import { policies } from './features/policies/feature.ts';
import { providers } from './features/providers/feature.ts';
import { letters } from './features/sends/sender.feature.ts';
import { sends } from './features/sends/feature.ts';
import { LETTERS_DUE, wakeLetters } from './features/sends/flow.store.ts';
import { lettersTouchedByIdentity } from './features/sends/touch.store.ts';
import { lettersOfPerson } from './features/sends/holder.store.ts';
import { readings } from './features/readings/feature.ts';
import { search } from './features/search/feature.ts';
import { segments } from './features/segments/feature.ts';
import { sequences } from './features/sequences/feature.ts';
import { prospects } from './features/prospects/feature.ts';
import { prospectsOfPerson } from './features/prospects/holder.store.ts';
import { wonDealMovesSpine } from './features/prospects/won.ts';
import { scripts } from './features/scripts/feature.ts';
import { sessions } from './features/sessions/feature.ts';
import { settings } from './features/settings/feature.ts';
import { snippets } from './features/snippets/feature.ts';
import { suppressions } from './features/suppressions/feature.ts';
import { threads } from './features/threads/feature.ts';
import { threadsOfPerson } from './features/threads/holder.store.ts';
import { todays } from './features/today/feature.ts';
import { tokens } from './features/tokens/feature.ts';
import { unsubscribes } from './features/unsubscribes/feature.ts';
import { users } from './features/users/feature.ts';
import { verification } from './features/verification/feature.ts';
import { vendors } from './features/vendors/feature.ts';
import { views } from './features/views/feature.ts';
import { warden } from './features/warden/feature.ts';
import { start } from './features/start/feature.ts';
import { work } from './features/work/feature.ts';
import { workReview } from './features/work/review.ts';
import { workflows } from './features/workflows/feature.ts';
import { workflowStep } from './features/workflows/subject.ts';

const lettersOfSenders: LettersOfSenders = {
  due: LETTERS_DUE,
  wake: wakeLetters,
  touched: lettersTouchedByIdentity,
};

export const features: Feature[] = [
  work,
  approvals([workReview, chatAction, workflowStep]),
  sessions,
  me,
  notifications,
  users,
  groups,
  policies,
  tokens,
  audit,
  settings,
  health,
  instanceMail,
  fields,
  people([dealsOfPerson, importsHolder, threadsOfPerson, prospectsOfPerson, lettersOfPerson]),
  companies,
  segments,
  imports,
  deals([wonDealMovesSpine]),
  events,
  suppressions,
  prospects,
  domains(lettersOfSenders),
  identities(lettersOfSenders),
  campaigns,
  sequences,
  sends,
  answers,
  threads,
  snippets,
  unsubscribes,
  letters,
  providers,
  vendors,
  deliveries,
  views,
  warden,
  verification,
  landing,
  readings(replyReader),
  mailboxes,
  copies,
  forms,
  scripts,
  capabilities,
  agents,
  chat,
  workflows,
  digests,
  todays,
  search,
  start,
];
