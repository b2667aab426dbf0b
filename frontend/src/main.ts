import { mount } from 'svelte';
import { host } from './host';
import './styles/tokens.css';
import './styles/base.css';
import App from './views/App.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');
mount(App, { target });
host.start();
