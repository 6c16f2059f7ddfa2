/**
 * Puts text on the clipboard; false where the browser refuses. Without https there is no clipboard API: then the old command
 * copies what stands selected in a field, which must lie in the dialog that is open (`within`), for nothing else can be selected.
 */
export async function copyText(text: string, within: HTMLElement = document.body): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, within);
  }
}

function copyBySelection(text: string, within: HTMLElement): boolean {
  const field = document.createElement('textarea');
  const focused = document.activeElement;
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  within.append(field);
  field.select();
  let isCopied = false;
  try {
    // Deprecated, and the only way on plain http: browsers keep it.
    // oxlint-disable-next-line typescript/no-deprecated
    isCopied = document.execCommand('copy');
  } catch {
    isCopied = false;
  }
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
