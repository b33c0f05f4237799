// The features by area: the whole surface of the product. A feature is here or it does not exist.
import type { Feature, Placed } from './kernel/app.ts';
import { answers } from './features/inbox/answers/feature.ts';
import { agents } from './features/automation/agents/feature.ts';
import { replyReader } from './features/automation/agents/reading.ts';
import { approvals } from './features/work/approvals/feature.ts';
import { audit } from './features/access/audit/feature.ts';
import { campaigns } from './features/outreach/campaigns/feature.ts';
import { campaignsWithPeople } from './features/outreach/campaigns/people.ts';
import { bulk } from './features/crm/bulk/feature.ts';
import { bulkHolder } from './features/crm/bulk/holder.ts';
import { enrolAct } from './features/outreach/prospects/enrol/bulk.ts';
import { verifyAct } from './features/outreach/verification/bulk.ts';
import { chat } from './features/automation/chat/feature.ts';
import { followTurn } from './features/automation/chat/turn/follow.ts';
import { binding } from './features/automation/chat/bound/binding.ts';
import { capabilities } from './features/automation/capabilities/feature.ts';
import { companies } from './features/crm/companies/feature.ts';
import { deals } from './features/crm/deals/feature.ts';
import { dealsOfPerson } from './features/crm/deals/holder.store.ts';
import { deliveries } from './features/outreach/deliveries/feature.ts';
import { digests } from './features/instance/digests/feature.ts';
import { domains } from './features/outreach/domains/feature.ts';
import { events } from './features/instance/events/feature.ts';
import { fields } from './features/crm/fields/feature.ts';
import { forms } from './features/inbox/forms/feature.ts';
import { groups } from './features/access/groups/feature.ts';
import { health } from './features/instance/health/feature.ts';
import { identities } from './features/outreach/identities/feature.ts';
import type { LettersOfSenders } from './features/outreach/identities/letters.ts';
import { imports } from './features/crm/imports/feature.ts';
import { importsHolder } from './features/crm/imports/rollback/holder.ts';
import { instanceMail } from './features/access/instance-mail/feature.ts';
import { copies } from './features/outreach/copies/feature.ts';
import { mailboxes } from './features/inbox/mailboxes/feature.ts';
import { landing } from './features/inbox/inbound/feature.ts';
import { me } from './features/access/me/feature.ts';
import { notifications } from './features/access/notifications/feature.ts';
import { people } from './features/crm/people/feature.ts';
import { policies } from './features/access/policies/feature.ts';
import { providers } from './features/access/providers/feature.ts';
import { letters } from './features/outreach/sends/sender/feature.ts';
import { sends } from './features/outreach/sends/feature.ts';
import { LETTERS_DUE, wakeLetters } from './features/outreach/sends/letter/flow.store.ts';
import { lettersTouchedByIdentity } from './features/outreach/sends/draft/reached.store.ts';
import { lettersOfPerson } from './features/outreach/sends/letter/holder.store.ts';
import { readings } from './features/inbox/readings/feature.ts';
import { search } from './features/instance/search/feature.ts';
import { segments } from './features/crm/segments/feature.ts';
import { sequences } from './features/outreach/sequences/feature.ts';
import { prospects } from './features/outreach/prospects/feature.ts';
import { prospectsOfPerson } from './features/outreach/prospects/holder.store.ts';
import { wonDealMovesSpine } from './features/outreach/prospects/spine/won.ts';
import { scripts } from './features/automation/scripts/feature.ts';
import { sessions } from './features/access/sessions/feature.ts';
import { settings } from './features/access/settings/feature.ts';
import { snippets } from './features/inbox/snippets/feature.ts';
import { suppressions } from './features/crm/suppressions/feature.ts';
import { threads } from './features/inbox/threads/feature.ts';
import { sentIntoThreads } from './features/inbox/threads/record/out.store.ts';
import { threadsOfPerson } from './features/inbox/threads/erase/holder.store.ts';
import { todays } from './features/instance/today/feature.ts';
import { tokens } from './features/access/tokens/feature.ts';
import { unsubscribes } from './features/outreach/unsubscribes/feature.ts';
import { users } from './features/access/users/feature.ts';
import { verification } from './features/outreach/verification/feature.ts';
import { vendors } from './features/outreach/vendors/feature.ts';
import { views } from './features/instance/views/feature.ts';
import { warden } from './features/outreach/warden/feature.ts';
import { start } from './features/instance/start/feature.ts';
import { proposals } from './features/work/proposals/feature.ts';
import { proposalSubjects } from './features/work/proposals/decided.ts';
import { work } from './features/work/work/feature.ts';
import { workReview } from './features/work/work/moves/review.ts';
import { workflows } from './features/automation/workflows/feature.ts';
import { workflowStep } from './features/automation/workflows/step/subject.ts';

const lettersOfSenders: LettersOfSenders = {
  due: LETTERS_DUE,
  wake: wakeLetters,
  touched: lettersTouchedByIdentity,
};

/** What waits for a decision, of every kind. */
const subjects = [workReview, ...proposalSubjects(binding), workflowStep];

/** The areas in the order in which they may import each other: each only what is before it. */
const areas: Record<string, Feature[]> = {
  access: [
    sessions,
    me,
    notifications,
    users,
    groups,
    policies,
    tokens,
    audit,
    settings,
    instanceMail,
    providers,
  ],
  crm: [
    fields,
    people(
      [dealsOfPerson, importsHolder, bulkHolder, threadsOfPerson, prospectsOfPerson, lettersOfPerson],
      campaignsWithPeople,
    ),
    bulk([enrolAct, verifyAct], campaignsWithPeople),
    companies,
    segments,
    imports([prospectsOfPerson]),
    deals([wonDealMovesSpine]),
    suppressions({ due: LETTERS_DUE, wake: wakeLetters }),
  ],
  work: [work, approvals(subjects), proposals(binding, subjects)],
  outreach: [
    prospects,
    domains(lettersOfSenders),
    identities(lettersOfSenders),
    campaigns,
    sequences,
    sends(sentIntoThreads),
    unsubscribes,
    letters(sentIntoThreads),
    vendors(sentIntoThreads),
    deliveries,
    warden,
    verification,
    copies(sentIntoThreads),
  ],
  inbox: [answers, threads(followTurn), snippets, landing, readings(replyReader), mailboxes, forms],
  automation: [scripts, capabilities, agents, chat, workflows],
  instance: [health, events, views, digests, todays, search, start],
};

export const features: Placed[] = Object.entries(areas).flatMap(([area, own]) =>
  own.map((feature) => ({ ...feature, area })),
);
