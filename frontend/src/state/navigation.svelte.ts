export type View = 'chat' | 'inbox' | 'apps' | 'activity' | 'settings';

/** Which screen is shown. */
export class Navigation {
  view = $state<View>('chat');
  /** The drawer, on a narrow window. */
  drawer = $state(false);
  /** The sidebar, on a wide window. */
  sidebar = $state(true);
  /** The window is too narrow for a sidebar; the shell sets it. */
  narrow = $state(false);
  help = $state(false);
  /** Grows when the search field should take the keyboard. */
  searchRequests = $state(0);

  /** Shows or hides the list of conversations, whichever form it has. */
  toggle() {
    if (this.narrow) this.drawer = !this.drawer;
    else this.sidebar = !this.sidebar;
  }

  search() {
    if (this.narrow) this.drawer = true;
    else this.sidebar = true;
    this.searchRequests++;
  }

  go(view: View) {
    this.view = view;
    this.drawer = false;
  }
}

export const navigation = new Navigation();
