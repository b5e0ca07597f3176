import { type Html, type HtmlPart, html, isolateText } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import type { PrivateContext } from '../page.ts';

/** A field of a form with its label, its help, and the fault that has to be corrected. */
interface FormField {
  readonly id: string;
  readonly label: string;
  readonly help?: string | undefined;
  readonly fault?: string | undefined;
  /** Renders the control with these attributes. */
  readonly control: (attributes: Html) => Html;
}

/** Renders a field of a form. The help and the fault are tied to its control. */
export const formField = ({ id, label, help, fault, control }: FormField): Html => {
  const described = [
    ...(help === undefined ? [] : [`${id}-help`]),
    ...(fault === undefined ? [] : [`${id}-fault`]),
  ].join(' ');
  const attributes = html` id="${id}"${described !== '' && html` aria-describedby="${described}"`}${
    fault !== undefined && html` aria-invalid="true"`
  }`;
  return html`<p><label for="${id}">${label}</label></p>
${help !== undefined && html`<p class="soft" id="${id}-help">${help}</p>\n`}${
  fault !== undefined && html`<p id="${id}-fault" role="alert"><strong>${fault}</strong></p>\n`
}<p>${control(attributes)}</p>
`;
};

/** Renders a text field with several lines. */
export const textField = (
  field: Omit<FormField, 'control'> & {
    readonly name: string;
    readonly value: string;
    readonly rows?: number;
    readonly isReadOnly?: boolean;
  },
): Html =>
  formField({
    ...field,
    control: (attributes) =>
      html`<textarea name="${field.name}" rows="${field.rows ?? 8}" cols="60"${field.isReadOnly === true && html` readonly`}${attributes}>\n${field.value}</textarea>`,
  });

/** Shows a typed text that cannot be sent any more, so that its writer can copy it. */
export const unsentText = (label: string, text: string): Html | false =>
  text.trim() !== '' && textField({ id: 'unsent', name: 'unsent', label, value: text, isReadOnly: true });

/** Renders a fault of a whole form. */
export const alarm = (fault: string | undefined): Html | false =>
  fault !== undefined && html`<p role="alert"><strong>${fault}</strong></p>\n`;

/** Renders a link to a page of the site. */
export const link = (context: PrivateContext, path: string, label: HtmlPart): Html =>
  html`<a href="${addressIn(context, path)}">${label}</a>`;

/** Renders a link to the page that says how people reach the operator. */
export const contactLink = (context: PrivateContext): Html =>
  html`<p>${link(context, '/contact', context.texts.dispute.howContact)}</p>\n`;

/** Renders a link back to the page of a firm for those who answer for it. */
export const backLink = (context: PrivateContext, { slug, name }: { readonly slug: string; readonly name: string }) =>
  html`<p>${link(context, `/answer/${slug}`, context.texts.dispute.backToFirm({ name: isolateText(name) }))}</p>\n`;
