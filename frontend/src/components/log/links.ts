/** The target of the link under an event, as it is written; "" when there is none. */
export function linkOf(event: Event): string {
  return (event.target instanceof Element && event.target.closest('a[href]')?.getAttribute('href')) || '';
}
