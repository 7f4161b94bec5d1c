package formwire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// server is the first line that formwire-server prints.
var server struct {
	URL        string `json:"url"`
	AdminToken string `json:"admin_token"`
	WriteKey   string `json:"write_key"`
}

// TestMain starts one Formwire reference server for the tests of the package.
func TestMain(m *testing.M) {
	command := strings.Fields(os.Getenv("FORMWIRE_SERVER"))
	if len(command) == 0 {
		command = []string{"npx", "--yes", "--package", "@formwire/reference-server", "formwire-server"}
	}
	command = append(command, "--port", "0", "--seed", "empty", "--clock", "manual", "--json")
	process := exec.Command(command[0], command[1:]...)
	process.Stderr = os.Stderr
	// In a process group of its own, so that the signal reaches the server behind npx too.
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	if err == nil {
		line, _ := bufio.NewReader(stdout).ReadBytes('\n')
		err = json.Unmarshal(line, &server)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "formwire-server did not start:", err)
		os.Exit(1)
	}
	code := m.Run()
	syscall.Kill(-process.Process.Pid, syscall.SIGTERM)
	process.Wait()
	os.Exit(code)
}

// app calls the control API and returns "data". It fails the test with the server's message.
func app(t *testing.T, method, path string, body interface{}) map[string]interface{} {
	t.Helper()
	text, _ := json.Marshal(body)
	request, _ := http.NewRequest(method, server.URL+"/_app"+path, bytes.NewReader(text))
	request.Header.Set("Authorization", "Bearer "+server.AdminToken)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var envelope struct {
		Data  map[string]interface{}
		Error *struct {
			Message string
			Details struct{ Nearest string }
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&envelope); err != nil {
		t.Fatal(err)
	}
	if envelope.Error != nil {
		t.Fatalf("%s %s: %s\n%s", method, path, envelope.Error.Message, envelope.Error.Details.Nearest)
	}
	return envelope.Data
}

type object = map[string]interface{}

// waitForDelivery returns the delivery that has these members. It fails the test with what came closest.
func waitForDelivery(t *testing.T, match object) object {
	t.Helper()
	return app(t, "POST", "/wait", object{"for": "delivery", "match": match, "timeout_ms": 30000})
}

func TestAFailingReceiverGetsTheDeliveryAgain(t *testing.T) {
	app(t, "POST", "/reset", nil)
	form := app(t, "POST", "/forms", object{"title": "Feedback"})
	path := fmt.Sprintf("/forms/%s", form["id"])
	app(t, "POST", path+"/publish", nil)

	receiver := app(t, "POST", "/receivers", object{"script": []string{"500", "200"}})
	endpoint := app(t, "POST", path+"/webhooks", object{"url": receiver["url"]})
	app(t, "PUT", fmt.Sprintf("/receivers/%v", receiver["id"]), object{"secret": endpoint["secret"]})

	app(t, "POST", path+"/responses", object{"answers": []object{}, "deliver": true})
	waitForDelivery(t, object{"attempts": 1})
	app(t, "POST", "/clock/advance", object{"by": "1m"})

	delivery := waitForDelivery(t, object{"status": "delivered"})
	if delivery["attempts"] != 2.0 {
		t.Errorf("attempts: %v, expected 2", delivery["attempts"])
	}
}
