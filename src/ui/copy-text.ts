/**
 * Copies text to the clipboard; returns false where the browser refuses. Without https there is no clipboard API, and
 * the old command copies the selection of a field, which must be inside the open dialog (`within`), because nothing
 * outside can be selected.
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
    // Deprecated, but the only way on plain http; browsers keep supporting it.
    // oxlint-disable-next-line typescript/no-deprecated
    isCopied = document.execCommand('copy');
  } catch {
    isCopied = false;
  }
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
