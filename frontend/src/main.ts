import { mount } from 'svelte';
import { host } from './host';
import { serveWebShell } from './state/webshell';
import './styles/tokens.css';
import './styles/base.css';
import App from './views/App.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');
serveWebShell();
mount(App, { target });
host.start();
