import { type CommandPolicy, toPolicy } from '../cli/define-command.ts';

/** Returns the rights of the commands whose decisions the desk makes. It loads them once somebody uses the desk. */
export const loadDeskPolicy = async (): Promise<CommandPolicy> => {
  const [review, moderation, complaint, warning, dispute, reply] = await Promise.all([
    import('../cli/review.ts'),
    import('../cli/moderation.ts'),
    import('../cli/complaint.ts'),
    import('../cli/warning.ts'),
    import('../cli/dispute.ts'),
    import('../cli/reply.ts'),
  ]);
  return toPolicy([
    ...review.reviewCommands,
    ...moderation.reportCommands,
    ...moderation.appealCommands,
    ...complaint.complaintCommands,
    ...warning.warningCommands,
    ...dispute.disputeCommands,
    ...reply.replyCommands,
  ]);
};
