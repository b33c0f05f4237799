// Enrolling as a bulk action: parts of a hundred through the act of the campaign, and why someone was refused without their name.
import type { AnyOperation } from '../../../../kernel/operation.ts';
import { type BulkAct, type Came, DONE, refusedAs } from '../../../crm/bulk/acts.ts';
import { campaignEnrol, type Enrolment, type RefusedWhy } from '../enrol.contract.ts';

const SAYS: Record<RefusedWhy, string> = {
  no_such_person: 'this person no longer exists',
  already_enrolled: 'they are already in this campaign',
  removed: 'they were removed from this campaign',
  unsubscribed: 'they unsubscribed',
  suppressed: 'their address is suppressed',
  no_address: 'they have no address',
  in_another_campaign: 'they are in another campaign, and this one takes people exclusively',
};

export const enrolAct: BulkAct = {
  act: 'enrol',
  // No more than an answer lists refusals of.
  at_once: 100,
  async run(call, { campaign }, people) {
    const { refused } = (await call(campaignEnrol as unknown as AnyOperation, {
      campaign,
      people,
    })) as Enrolment;
    const why = new Map(refused.map((each) => [each.person_id, SAYS[each.why]]));
    return new Map(
      people.map((id): [string, Came] => {
        const says = why.get(id);
        return [id, says === undefined ? DONE : refusedAs(says)];
      }),
    );
  },
};
