/**
 * The actions of the audit trail. Each module adds its own, so that an action that nobody declares does not compile.
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules extend it
export interface AuditActions {}
export type AuditAction = keyof AuditActions & string;

/** The kinds of subjects that an entry can be about. Each module adds its own. @public */
// biome-ignore lint/suspicious/noEmptyInterface: modules extend it
export interface AuditSubjects {}
export type SubjectKind = keyof AuditSubjects & string;

/** The actions that a module declares. */
export type ActionsOf<M extends { readonly audit: object }> = Readonly<Record<keyof M['audit'] & string, string>>;

/** The kinds of subjects that a module declares. */
export type SubjectsOf<M extends { readonly subjects: readonly string[] }> = Readonly<
  Record<M['subjects'][number], true>
>;
