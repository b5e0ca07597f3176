/**
 * Returns whether a firm may reply to reviews in public. A suspected clone may not: its words would stand beside the
 * name of the firm that it pretends to be. Answers leave out the replies of a firm while it is suspected.
 * @example mayReply({ status: 'suspected_clone' }) // false
 */
export const mayReply = ({ status }: { readonly status: string }): boolean => status !== 'suspected_clone';
