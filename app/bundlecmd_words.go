package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"lineup/surface"
)

// bundleWords are what `lineup bundle` says. %[1]s and so on are file names and
// keys; whatever a bundle says of itself goes through package plain first.
var bundleWords = map[string]struct{ en, zh string }{
	"usage":             {"%[1]s. See `lineup bundle --help`.", "用法有误：%[1]s。请参阅 `lineup bundle --help`。"},
	"packed":            {"%[1]s is written. Its digest is %[2]s.", "已写入 %[1]s，其摘要为 %[2]s。"},
	"not_packed":        {"Nothing was packed, because of the errors above.", "由于上面的错误，没有打包。"},
	"sign_how":          {"Say how to sign: either -k with a private key, or --attach with a signature (and -p, if it is to be checked).", "请说明如何签名：用 -k 给出私钥，或用 --attach 给出已有的签名（如需核对，再加 -p）。"},
	"signed":            {"%[1]s is signed by key %[2]s.\nUsers trust it by adding this public key under Settings, “Trusted interfaces”:\n%[3]s", "%[1]s 已由密钥 %[2]s 签名。\n用户可在“设置”的“受信任的界面”中添加此公钥：\n%[3]s"},
	"attached":          {"The signature by key %[2]s is in %[1]s.", "密钥 %[2]s 的签名已放入 %[1]s。"},
	"attach_bad":        {"%[1]s is not a minisign signature of this bundle, prehashed as minisign does by default. Sign the text that `lineup bundle hash --statement` prints.", "%[1]s 不是此界面包的 minisign 签名（须为 minisign 默认的预哈希方式）。请对 `lineup bundle hash --statement` 输出的文本签名。"},
	"key_bad":           {"The key in %[1]s does not fit together: what it signs cannot be verified. Make another with `lineup bundle keygen`.", "%[1]s 中的密钥前后不一致：它的签名无法验证。请用 `lineup bundle keygen` 另建一个。"},
	"digest":            {"Digest: right, %[1]s", "摘要：正确，%[1]s"},
	"no_signature":      {"Signature: none. Nobody vouches for it.", "签名：没有，无人为它担保。"},
	"no_signature_want": {"%[1]s is not signed. Sign it with `lineup bundle sign`.", "%[1]s 没有签名。请用 `lineup bundle sign` 签名。"},
	"unchecked":         {"Signature: by key %[1]s, not checked. Give the publisher's public key with -p to check it.", "签名：来自密钥 %[1]s，未核对。请用 -p 给出发布者的公钥来核对。"},
	"good_signature":    {"Signature: right, by key %[1]s", "签名：正确，来自密钥 %[1]s"},
	"bad_signature":     {"The signature in %[1]s is malformed or not of this bundle. Take the bundle from its publisher again, or sign it anew.", "%[1]s 中的签名格式有误，或不是此界面包的签名。请重新从发布者处获取，或重新签名。"},
	"other_key":         {"%[1]s is signed by another key, %[2]s. Use that publisher's public key, if it is the one you trust.", "%[1]s 由另一个密钥 %[2]s 签名。如果你信任该发布者，请使用其公钥。"},

	"made":           {"The private key is in %[1]s: keep it to yourself. The public key is in %[2]s:\n%[3]s", "私钥在 %[1]s 中，请勿外传。公钥在 %[2]s 中：\n%[3]s"},
	"exists":         {"%[1]s is there already and is not overwritten. Choose another name with -o.", "%[1]s 已存在，不会被覆盖。请用 -o 另选名称。"},
	"password":       {"Password of the private key:", "私钥的密码："},
	"new_password":   {"Password for the private key:", "为私钥设置密码："},
	"again":          {"The same again:", "再输入一次："},
	"differ":         {"The two passwords differ.", "两次输入的密码不同。"},
	"no_password":    {"No password was given. For a key without one, use keygen --no-password.", "没有给出密码。如需无密码的密钥，请使用 keygen --no-password。"},
	"wrong_password": {"%[1]s could not be opened: the password is wrong, or it is no minisign private key.", "无法打开 %[1]s：密码错误，或它不是 minisign 私钥。"},
	"not_private":    {"%[1]s is no minisign private key. `lineup bundle keygen` makes one.", "%[1]s 不是 minisign 私钥。可用 `lineup bundle keygen` 创建。"},
	"not_public":     {"%[1]s is no minisign public key: it has 56 characters and starts with RW.", "%[1]s 不是 minisign 公钥：公钥有 56 个字符，以 RW 开头。"},

	"missing":    {"There is no %[1]s.", "找不到 %[1]s。"},
	"forbidden":  {"You may not read %[1]s.", "你无权读取 %[1]s。"},
	"unreadable": {"%[1]s cannot be read: %[2]s", "无法读取 %[1]s：%[2]s"},
	"unwritable": {"%[1]s cannot be written: %[2]s", "无法写入 %[1]s：%[2]s"},
	"not_folder": {"%[1]s is no folder. Give the folder that holds surface.json.", "%[1]s 不是文件夹。请给出 surface.json 所在的文件夹。"},
	"not_file":   {"%[1]s is no regular file.", "%[1]s 不是普通文件。"},
	"too_long":   {"%[1]s is too long for a key or a signature.", "%[1]s 过长，不可能是密钥或签名。"},

	"unsignable": {"This bundle cannot be signed: %[1]s", "无法为此界面包签名：%[1]s"},
	"error":      {"error", "错误"},
	"warning":    {"warning", "警告"},
	"note":       {"note", "提示"},
}

func bundleSay(key string, args ...any) string {
	w := bundleWords[key]
	text := w.en
	if chinese() {
		text = w.zh
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// findingText is a finding as compilers print them, with what to do below it.
// path is the folder, or the packed file.
func findingText(path string, f surface.Finding) string {
	place := path
	if f.File != "" && f.File != "bundle.json" { // which is the packed file, whatever its name
		place = filepath.Join(path, f.File)
	}
	for _, n := range []int{f.Line, f.Column} {
		if n == 0 {
			break
		}
		place += ":" + strconv.Itoa(n)
	}
	language := "en"
	if chinese() {
		language = "zh-CN"
	}
	what, fix := f.Words(language)
	text := place + ": " + bundleSay(string(f.Severity)) + ": " + what
	if fix != "" {
		text += "\n    " + fix
	}
	return text
}

// refusedBundle words a *surface.Refusal of the folder or file at path.
func refusedBundle(path string, err error) error {
	var r *surface.Refusal
	if errors.As(err, &r) && r.Code == surface.CodeSignature {
		return &exit{exitRefused, bundleSay("unsignable", r.Field+": expected "+r.Expected)}
	}
	f, ok := surface.FindingOf(err)
	if !ok {
		return err
	}
	return &exit{exitRefused, findingText(path, f)}
}
