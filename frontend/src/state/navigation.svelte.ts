export type View = 'chat' | 'apps' | 'activity' | 'settings' | 'welcome';

/** Which screen is shown. */
export class Navigation {
  view = $state<View>('chat');
  /** The drawer, on a narrow window. */
  drawer = $state(false);

  go(view: View) {
    this.view = view;
    this.drawer = false;
  }
}

export const navigation = new Navigation();
